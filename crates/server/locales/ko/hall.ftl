# 왕좌, 사건의 공개 자료실, 저자

throne-title = 왕좌의 전당
throne-of = 왕좌의 전당: { $case }
throne-lede = 주장의 왕좌를 가진 사람은 누군가 그 주장을 읽을 때 대가를 받습니다. 처음에는 저자가 왕좌를 갖지만, 그 주장을 거듭 이긴 것이 나오면 그것을 쓴 사람이 왕좌를 차지합니다.
throne-best-attack = 으뜸 공격
throne-best-defense = 으뜸 변론
throne-none-attack = 아직 평가된 공격이 없습니다.
throne-none-defense = 아직 평가된 변론이 없습니다.
throne-col-what = 내용
throne-col-champion = 왕좌의 주인
throne-col-since = 차지한 때
throne-taken = 빼앗은 왕좌
throne-changes = 주인이 바뀐 왕좌
throne-rule = 하루에 한 번, 효과가 30% 아래로 떨어진 것은 그것을 상대로 다섯 번 이상, 세 명 이상의 상대에게 쓰여 70%를 넘긴 것에 왕좌를 내줍니다. 다음 교체에는 마지막 교체 뒤의 것만 셉니다.
throne-no-changes = 아직 주인이 바뀐 왕좌가 없습니다.
throne-took-attack = { $new }{ $new_i } { $previous }의 공격 왕좌를 차지했습니다.
throne-took-defense = { $new }{ $new_i } { $previous }의 변론 왕좌를 차지했습니다.
throne-why-attack = 변론 “{ $challenger }”{ $challenger_i } 공격 “{ $label }”{ $label_eul } 이겼습니다.
throne-why-defense = 공격 “{ $challenger }”{ $challenger_i } 변론 “{ $label }”{ $label_eul } 이겼습니다.
throne-figures = 이를 상대로 { $n }번 쓰여 낸 효과는 { $percent }%입니다.
throne-fallen = 진 쪽의 효과는 { $percent }%까지 떨어져 있었습니다.
throne-trigger = 말뭉치의 { $event }번 공방에서 정해졌습니다.
alias-house = 하우스
alias-deleted = 탈퇴한 사용자
hall-case = 사건
hall-archive = 공개 자료실
authors-title = 저자
