# The Tribunal
kind-tribunal = 역사 재판
kind-of-tribunal = 역사 재판
kind-short-tribunal = 검사 한 명, 역사 속 인물, 배심원 열두 명
lede-tribunal = 역사 속 인물을 법정에 세우세요. 기록을 근거로 따지고, 지나친 주장을 붙잡아 배심원 열두 명의 마음을 움직이세요.
docs-tribunal = 역사 재판 하는 법
docs-tribunal-text = 공격, 답변, 판단, 입증 책임, 배심원 열두 명.
role-bench = 재판부
role-accused = 피고
role-of-bench = 재판부
role-of-accused = 피고
fiction = 창작
fiction-why = 발언은 지어낸 것이고, 공개 기록은 사실입니다.
open-trial = 공개 재판
open-trial-why = 여기서 오간 말은 누구나 읽을 수 있습니다.
closed-trial = 비공개 재판
sealed-words = 비공개 재판에서 오간 말은 그 자리에 있는 사람들의 것입니다.
sealed-here = 말은 공개되지 않습니다.
replay-exchanges = 공방

# Where it stands
exchange-of = 공방 { $number } / { $total }
exchange-last = 지난 공방
exchange-n = 공방 { $number }
part-exchange = 공방 { $number } · { $name }
step-attack = 공격
step-answer = 답변
step-ruling = 판단
step-burden = 입증
step-burden-ruling = 입증
step-completed = 평결
status-attack = 내 차례: 공격하세요
status-answer = 내 차례: { $name }{ $name_ro }서 답하세요
status-burden = 입증할 책임이 있습니다
status-at-attack = { $name }{ $name_i } 공격을 준비하는 중
status-at-answer = { $name }의 답변을 기다리는 중
status-at-ruling = 재판부가 공격과 답변을 저울질하는 중
status-at-burden = { $name }{ $name_i } 주장을 입증하거나 거두거나 버텨야 합니다
status-at-burden-ruling = 재판부가 입증을 저울질하는 중
status-condemned = 유죄: 배심원 열두 명 중 { $condemn }명
status-acquitted = 무죄: 배심원 열두 명 중 { $acquit }명
status-hung = 평결 불성립: 유죄 { $condemn }명, 무죄 { $acquit }명
hint-attack = 날짜와 금액이 있는 기록의 사실이 배심원을 움직입니다. 구호는 움직이지 못합니다.
hint-answer = 기록에서 답하세요. 기록을 넘어선 주장은 스스로 입증해야 합니다.
hint-burden = 기록만으로는 뒷받침되지 않는 주장을 재판부가 들었습니다.
hint-last-moved = { $moved }.
hint-dock-wait = 발언이 전해졌습니다.
hint-dock-seated = 자리에 앉았습니다. 세 자리가 모두 차면 저절로 시작합니다.
hint-dock-prosecute = 먼저 앉는 사람이 검사, 다음 사람이 피고 측을 맡습니다.
hint-dock-accused = 남은 자리는 피고 측입니다.
hint-ia = { $n ->
    [0] 이 재판의 점수는 0이므로 받은 IA가 없습니다.
   *[other] 이 재판에서 { $n } IA를 받았습니다.
}
hint-ia-part = 이 재판의 점수는 { $score } IA이고, 받은 것은 { $paid } IA입니다.
hint-ia-limits = 같은 논증은 한 계정에 한 번만 지급되고, 하루에 { $n } IA까지 받을 수 있으며, 하우스 AI가 대신 한 말에는 지급되지 않습니다.
hint-ia-cost = 이 재판의 점수는 { $score } IA이고, { $cost } IA를 잃었습니다. 같은 논증은 한 계정에 한 번만 지급되지만, 상대가 입증한 주장은 매번 IA를 깎습니다.
hint-ia-unpaid = 이 재판의 점수는 { $n } IA입니다. 연습이나 상대를 고른 재판에는 지급되지 않습니다.
hint-ia-guest = 점수는 { $n } IA입니다. 손님에게는 지급되지 않지만, 계정이 있으면 IA를 받을 수 있습니다.
hint-ended-tribunal = 배심원이 결론을 냈고 재판이 끝났습니다.

# The picture
dock-title = 역사 재판정
dock-desc-waiting = 재판 전의 법정. 재판부석과 피고석, 빈 배심원석이 있습니다. 앉은 사람: { $names }.
dock-desc-prosecutor = 위에 재판부가 앉고 { $name }{ $name_i } 기소합니다.
dock-desc-dock = 피고석: { $names }.
dock-desc-attacked = 앞에 선 사람: { $name }.
dock-desc-jury = 배심원 열두 명 중 { $condemn }명은 유죄, { $acquit }명은 무죄로 기웁니다.
juror-leans = 배심원 { $number }: { $lean }
juror-moved = 방금 움직임
lean-condemn = { $lean }, 유죄 쪽
lean-acquit = { $lean }, 무죄 쪽
lean-undecided = 0, 미정
count-acquit = 무죄 { $n }
count-undecided = 미정 { $n }
count-condemn = 유죄 { $n }
the-jury-finds = 배심원 평결
found-condemned = 유죄
found-acquitted = 무죄
found-hung = 불성립

# Forms
field-attack = 나의 공격
field-answer = 나의 답변
field-burden = 입증
attack-whom = 누구를 공격하겠습니까?
act-intern = 인턴의 초안 쓰기
act-consult = 🔍 기록 보관소 열람 ({ $n } IA)
consult-why = 가장 잘 통한 공격을 셋까지 보여 줍니다. 이번 공방은 그것으로 끝납니다.
act-copy-attack = 입력란에 옮기기
act-close = 닫기
act-reopen = 본 것 다시 보기
archive-title = 기록 보관소에서
archive-why = 다른 재판에서 { $name }에게 가장 잘 통한 공격입니다. 당신에게만 보입니다.
archive-effective = 효과 { $percent }%
archive-uses = { $n }번 쓰임
archive-consulted = 기록 보관소 열람
hint-consulted = 기록 보관소가 열려 있습니다. 이번이나 다음 공방에 쓸 것을 고르세요.
act-attack = 공격하기
act-answer = 답하기
act-burden = 재판부에 내기
act-open-trial = 모두에게 공개하기
placeholder-attack = 기록에 남은 사실을 날짜와 금액까지 들어 따지세요
placeholder-answer = 기록에 따르면 …
placeholder-burden = 증거가 무엇을 보여 주는지 자기 말로 쓰세요
count-under = { $n }자 이상
count-between = { $least }자에서 { $most }자
burden-how = 어떻게 하겠습니까?
mode-prove = 입증
mode-withdraw = 철회
mode-defend = 고수
mode-why-prove = 사실을 들고 그 뜻을 말합니다
mode-why-withdraw = 주장을 거둡니다
mode-why-defend = 증거 없이 버팁니다. 더 어렵습니다
cite-legend = 들 수 있는 사실, 하나에서 넷

# The record
ruled-condemn = 판단: 배심원 { $n }명을 유죄 쪽으로
ruled-acquit = 판단: 배심원 { $n }명을 무죄 쪽으로
ruled-nobody = 판단: 아무도 움직이지 않음
burden-proved = 주장이 입증되었습니다
burden-struck = 주장이 무너졌습니다
stamp-claimed = 지나친 주장
stamp-proved = 입증
stamp-withdrawn = 철회
stamp-struck = 기각
manner-prove = 주장을 입증하려 합니다.
manner-prove-with = 주장을 입증하려고 든 사실: { $evidence }.
manner-withdraw = 주장을 철회합니다.
manner-defend = 증거 없이 주장을 고수합니다.
moved-condemn = 배심원 { $jurors }번이 유죄 쪽으로 움직였습니다
moved-acquit = 배심원 { $jurors }번이 무죄 쪽으로 움직였습니다
moved-nobody = 움직인 배심원이 없습니다
ia-change = { $ia } IA
ia-won = 점수: { $n } IA
jury-stands = 유죄 { $condemn }명, 무죄 { $acquit }명
note-silent = { $name }{ $name_eun } 아무 말도 하지 않았습니다
note-consulted = { $name }{ $name_i } 기록 보관소를 열람했습니다
note-trial-opened = 재판이 공개되었습니다. 이제부터 누구나 읽을 수 있습니다

# Boards
tab-board = 주장
tab-jury = 배심원
claims-title = 주장판
claims-empty = 아직 기록을 넘어선 주장이 없습니다.
exchanges-title = 공방
exchanges-empty = 아직 첫 공격이 없습니다.
ruling-gave = 판단 { $shift }
the-charge = 공소 사실
characters-title = 기소된 사람
may-cite = 들 수 있는 사실: { $ids }
record-title = 공개 기록
record-why = 날짜와 출처가 있는 사실입니다.
favours-condemn = 유죄 쪽
favours-acquit = 무죄 쪽
favours-neither = 중립
favours-why-condemn = 검사에게 유리한 사실
favours-why-acquit = 피고에게 유리한 사실
favours-why-neither = 그 자체로는 어느 쪽에도 유리하지 않은 사실
jury-caption = 배심원마다 어디로 기우는지, 어느 공방이 움직였는지
jury-note = −3(무죄)에서 +3(유죄)까지, 0은 미정입니다. 열은 공방이며 그 공방이 배심원을 어떻게 움직였는지 보여 줍니다. 열둘 중 일곱이 결정합니다.
col-juror = 배심원
col-lean = 기울기
sits-title = 앉은 사람
case-drawn-tribunal = 마지막 자리가 차면 사건을 추첨합니다.
fact-exchanges = 공방 수
fact-readers = 읽을 수 있는 사람

# New table
new-opponent = 피고를 맡을 쪽
new-opponent-house = 하우스 AI, 바로 시작
new-opponent-player = 다른 참가자
new-readers = 오간 말을 읽을 사람
new-readers-closed = 그 자리에 있는 사람만. 첫 공격 전에는 공개로 바꿀 수 있습니다
new-readers-open = 누구나
play-case = 다룰 사건

# Refusals
refused-length-between = { $least }자에서 { $most }자 사이로 써 주세요.
refused-nothing-to-consult = 아직 쓰거나 보지 않은 공격이 보관소에 없습니다. 아무것도 내지 않았고, 여전히 당신 차례입니다.
refused-archive-needs-account = 기록 보관소는 계정으로 값을 치릅니다. 로그인해서 자신의 이름으로 참가해 주세요.
refused-not-in-practice = 연습과 시연 경기에서는 주고받는 것이 없어 기록 보관소를 열지 않습니다.
refused-too-late = 첫 공격이 나온 뒤에는 공개로 바꿀 수 없습니다.
refused-already-open = 이미 공개된 재판입니다.
refused-unknown-character = 기소된 사람 가운데 고르세요.
refused-unknown-evidence = 이 인물이 들 수 있는 사실 가운데 고르세요.
refused-invalid-body-evidence = 사실을 하나에서 넷까지 고르세요.
refused-invalid-body-exchanges = 공방은 1번에서 8번까지입니다.
