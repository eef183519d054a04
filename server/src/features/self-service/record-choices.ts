import { sql } from 'kysely'
import type { Database } from '../../database/connect.ts'
import { lockAgent } from '../agents/lock-agent.ts'
import { pinComputer } from '../computers/computers.ts'

/** Texts come from users: a machine could send any. */
export type UserChoice = {
  choiceId: string
  user: string
  atUtc: Date
} & (
  | { kind: 'Taken'; packageId: string }
  | { kind: 'Postponed'; untilUtc: Date }
  | { kind: 'Requested'; wish: string; reason: string }
)

export const choiceOutcomes = ['Recorded', 'TooMany'] as const

export type ChoiceOutcome = (typeof choiceOutcomes)[number]

/** Far more than people choose. An agent that reports more must not fill the database, nor the list of an administrator. */
const maxChoicesPerDay = 200
export const maxPendingRequests = 10
const maxRequestsPerDay = 20
const keptChoiceDays = 30
const keptRequestDays = 365

/** Records what users of a computer have chosen, each choice once. Returns what became of each. */
export async function recordUserChoices(
  db: Database,
  computerId: number,
  choices: readonly UserChoice[],
): Promise<{ choiceId: string; outcome: ChoiceOutcome }[]> {
  await pinComputer(db, computerId)
  // The limits apply to concurrent reports as well.
  await lockAgent(db, computerId)
  await purgeOldChoices(db, computerId)
  const outcomes: { choiceId: string; outcome: ChoiceOutcome }[] = []
  for (const choice of choices) {
    const isRecorded =
      choice.kind === 'Requested'
        ? await insertRequest(db, computerId, choice)
        : await insertChoice(db, computerId, choice)
    outcomes.push({ choiceId: choice.choiceId, outcome: isRecorded ? 'Recorded' : 'TooMany' })
  }
  return outcomes
}

async function purgeOldChoices(db: Database, computerId: number): Promise<void> {
  await sql`
    with old_choices as (
      delete from user_choices
      where computer_id = ${computerId} and recorded_at < now() - make_interval(days => ${keptChoiceDays}::integer)
    )
    delete from package_requests
    where computer_id = ${computerId} and decided_at < now() - make_interval(days => ${keptRequestDays}::integer)`.execute(
    db,
  )
}

/** Returns whether the choice is stored, now or since before. A clock that is ahead does not date it into the future. */
async function insertChoice(
  db: Database,
  computerId: number,
  choice: Exclude<UserChoice, { kind: 'Requested' }>,
): Promise<boolean> {
  const packageId = choice.kind === 'Taken' ? choice.packageId : null
  const until = choice.kind === 'Postponed' ? choice.untilUtc : null
  const { rows } = await sql`
    with inserted as (
      insert into user_choices (computer_id, choice_id, kind, user_name, package_id, postponed_until, chosen_at)
      select ${computerId}, ${choice.choiceId}, ${choice.kind}, ${choice.user},
        (select id from packages where id = ${packageId}::uuid), ${until}::timestamptz, least(${choice.atUtc}::timestamptz, now())
      where (
        select count(*) from user_choices
        where computer_id = ${computerId} and recorded_at > now() - interval '1 day') < ${maxChoicesPerDay}
      on conflict on constraint user_choices_computer_id_choice_id_key do nothing
      returning id
    )
    select from inserted
    union all select from user_choices where computer_id = ${computerId} and choice_id = ${choice.choiceId}`.execute(db)
  return rows.length > 0
}

async function insertRequest(
  db: Database,
  computerId: number,
  { choiceId, user, wish, reason }: Extract<UserChoice, { kind: 'Requested' }>,
): Promise<boolean> {
  const { rows } = await sql`
    with inserted as (
      insert into package_requests (computer_id, choice_id, wish, reason, user_name)
      select ${computerId}, ${choiceId}, ${wish}, ${reason}, ${user}
      from (
        select count(*) filter (where state = 'Pending') as pending,
          count(*) filter (where requested_at > now() - interval '1 day') as of_today
        from package_requests where computer_id = ${computerId}
      ) as existing
      where pending < ${maxPendingRequests} and of_today < ${maxRequestsPerDay}
      on conflict do nothing
      returning id
    )
    select from inserted
    union all select from package_requests
    where computer_id = ${computerId} and (choice_id = ${choiceId} or state = 'Pending' and lower(wish) = lower(${wish}))`.execute(
    db,
  )
  return rows.length > 0
}
