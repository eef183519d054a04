import { sql } from 'kysely'
import type { Database } from '../../database/connect.ts'

/** Why an agent returns work with a deadline without a choice of the person. */
export const delayReasons = ['QuietHours', 'Presentation', 'ProgramsOpen', 'NoAnswer'] as const

export type DelayReason = (typeof delayReasons)[number]

/** What a person chose about a work item, or what the agent did because the person did not. */
export const workChoices = ['Later', 'Now', ...delayReasons, 'ProgramsClosed'] as const

export type WorkChoice = {
  choice: (typeof workChoices)[number]
  user: string | null
  programs: string[]
  atUtc: Date
}

/** Records choices about a work item of this computer. Those about other work items are ignored. */
export async function recordWorkChoices(
  db: Database,
  clientId: number,
  reported: readonly { workId: number; workChoices?: readonly WorkChoice[] | undefined }[],
): Promise<void> {
  const rows = reported.flatMap(({ workId, workChoices: choices = [] }) =>
    choices.map(({ choice, user, programs, atUtc }) => ({ workId, choice, user, programs, atUtc })),
  )
  if (rows.length === 0) return
  await sql`
    insert into work_choices (computer_id, work_id, choice, user_name, programs, chosen_at)
    select work.computer_id, work.id, made.choice, made."user", made.programs, made."atUtc"
    from jsonb_to_recordset(${JSON.stringify(rows)}::jsonb)
        as made ("workId" bigint, choice text, "user" text, programs text[], "atUtc" timestamptz)
      join work on work.id = made."workId" and work.computer_id = ${clientId}
    order by made."atUtc"`.execute(db)
}
