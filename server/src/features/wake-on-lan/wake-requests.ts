import { type RawBuilder, sql } from 'kysely'
import type { Database } from '../../database/connect.ts'
import { effectiveOptions } from '../distribution/effective-options.ts'

export type Wakes = {
  /** Selects `owner_id` of the computers. */
  computers: RawBuilder<unknown>
  /** When all of these computers are woken. */
  wakeAt: Date | null
  /** Computers are also woken for work of this task whose options say so. */
  taskId: string
  canWake: boolean
}

/** Has computers woken at a time, and when their work may begin. What has an address only, and nothing twice. */
export async function requestWakeUps(db: Database, { computers, wakeAt, taskId, canWake }: Wakes): Promise<void> {
  const causes = [
    ...(wakeAt
      ? [
          sql`
          select owner_id as computer_id, ${wakeAt}::timestamptz as wake_at from (${computers}) as asked
          where exists (select from activations a where a.computer_id = owner_id)`,
        ]
      : []),
    ...(canWake ? [forWork(taskId)] : []),
  ]
  if (causes.length === 0) return
  await sql`
    insert into wake_requests (computer_id, wake_at)
    select distinct wanted.computer_id, wanted.wake_at
    from (${sql.join(causes, sql` union all `)}) as wanted
      join computers on computers.id = wanted.computer_id and computers.mac_key is not null
    where not exists (
      select from wake_requests waiting
      where waiting.computer_id = wanted.computer_id and waiting.sent_at is null
        and (waiting.wake_at = wanted.wake_at or greatest(waiting.wake_at, wanted.wake_at) <= now()))
    order by wanted.computer_id`.execute(db)
}

const forWork = (taskId: string) => sql`
  select work.computer_id, min(work.not_before) as wake_at
  from work join (
    ${effectiveOptions(sql`select distinct group_id, package_id from work where task_id = ${taskId} and group_id is not null`)}
  ) as options on options.group_id = work.group_id and options.package_id = work.package_id and options.wol
  where work.task_id = ${taskId} and work.not_before < 'infinity'
  group by work.computer_id`
