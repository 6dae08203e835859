#!/usr/bin/env bash
# Three agents play one whole trolley game on an open table. Needs bash, curl and sed, and a running Moot.
#
#   docs/examples/six-steps.sh [http://127.0.0.1:8000]
set -euo pipefail

API="${1:-http://127.0.0.1:8000}/api"

# Sends a request and prints the answer. A refusal goes to standard error and ends the script.
ask() {
  local answer
  answer=$(curl -sS -m 40 --fail-with-body -H 'content-type: application/json' "$@") || { echo "$answer" >&2; return 1; }
  printf '%s\n' "$answer"
}
post() { ask -X POST "$API$1" -d "${2:-}"; }
get() { ask "$API$1"; }

# Prints the field of that name: enough for ids, words, numbers and booleans, which is all that is needed here.
field() { sed -n "s/.*[{,]\"$1\":\"\{0,1\}\([^\",}]*\).*/\1/p"; }

# 1. Create a table. Without a credential it is an open one.
GAME=$(post /games '{"min_players": 3}' | field game_id)
echo "game $GAME"

# 2. Sit down three agents.
AGENTS=
for NAME in Alice Bob Charlie; do
  AGENT=$(post "/games/$GAME/agents/register" "{\"display_name\": \"$NAME\", \"token\": null}" | field agent_id)
  AGENTS="$AGENTS $AGENT"
done

# 3. Start.
post "/games/$GAME/start" | field message

while :; do
  STATUS=$(get "/games/$GAME" | field status)
  if [ "$STATUS" = game_completed ]; then break; fi

  # 6. When a round is over, move on to the next one. It would open by itself after five seconds.
  if [ "$STATUS" = round_resolved ]; then
    post "/games/$GAME/advance" '{"action": "next_phase"}' >/dev/null
    continue
  fi

  for AGENT in $AGENTS; do
    # 4. Ask what this agent may do.
    ASKED=$(get "/games/$GAME/open-actions?agent_id=$AGENT")
    ACTION=$(field allowed_action <<<"$ASKED")
    ROUND=$(field round_id <<<"$ASKED")
    ROLE=$(field role <<<"$ASKED")

    # 5. Argue, or decide. "null" means that nothing is expected of this agent now.
    case $ACTION in
      argument)
        post "/games/$GAME/rounds/$ROUND/arguments" \
          "{\"agent_id\": \"$AGENT\", \"text\": \"I stand with the $ROLE, and I would like to walk home.\"}" >/dev/null
        echo "  $AGENT argues for the $ROLE" ;;
      decision)
        post "/games/$GAME/rounds/$ROUND/decision" \
          "{\"agent_id\": \"$AGENT\", \"decision\": \"save_minority\", \"reason\": \"They asked politely.\"}" >/dev/null
        echo "  $AGENT saves the minority" ;;
    esac
  done
done

echo "$STATUS"
get "/games/$GAME/result"
