import { sql } from 'kysely'
import { ok, operation } from '../../../platform/operation.ts'
import { pageOf, paging } from '../../../platform/paging.ts'
import { closed, Int32, pagedResultOf, Type, text } from '../../../platform/schema.ts'
import { toFailureCause } from '../../deployments/failures/failure-causes.ts'
import { rolloutNotFound } from '../problems.ts'
import type { ComputerState } from '../rollout-computers.ts'
import { getRolloutRecord } from '../rollout-record.ts'
import { RolloutComputer, RolloutComputerState, RolloutPath } from './schemas.ts'

export const listRolloutComputers = operation({
  id: 'listRolloutComputers',
  route: 'GET /api/rollouts/:id/computers',
  summary: 'List the computers of a rollout',
  description: 'By ring and position, with the reason why each is in its ring and what became of it.',
  role: 'computer.read',
  params: RolloutPath,
  query: closed({
    ...paging,
    ring: Type.Optional({ ...Int32, minimum: 1, examples: [1], description: 'Only computers of this ring' }),
    state: Type.Optional({ ...RolloutComputerState, description: 'Only computers in this state' }),
    exitCode: Type.Optional({
      ...Int32,
      examples: [1603],
      description: 'Only computers whose failure has this exit code',
    }),
    error: Type.Optional(text(1000, 'no space left on device', 'Only computers whose failure has this error')),
  }),
  returns: ok(pagedResultOf(RolloutComputer)),
  problems: [rolloutNotFound],
  extension: true,
  async handle(call) {
    const { db, params, query } = call
    await getRolloutRecord(db, params.id)
    const matching = db
      .selectFrom('rollout_computers as placed')
      .select(['placed.ring', 'placed.position', 'placed.computer_id as computerId'])
      .where('placed.rollout_id', '=', params.id)
      .$if(query.ring !== undefined, (placed) => placed.where('placed.ring', '=', query.ring ?? 0))
      .$if(query.state !== undefined, (placed) => placed.where('placed.state', '=', query.state ?? ''))
      .$if(query.exitCode !== undefined, (placed) => placed.where('placed.exit_code', '=', query.exitCode ?? 0))
      .$if(query.error !== undefined, (placed) => placed.where(hasError(query.error ?? '')))
    const rows = db
      .selectFrom('rollout_computers as placed')
      .innerJoin('computers', 'computers.id', 'placed.computer_id')
      .innerJoin('rollout_rings as ring', (join) =>
        join.onRef('ring.rollout_id', '=', 'placed.rollout_id').onRef('ring.ring', '=', 'placed.ring'),
      )
      .leftJoin('groups', 'groups.id', 'ring.group_id')
      .where('placed.rollout_id', '=', params.id)
      .select([
        'placed.ring',
        'placed.position',
        'placed.computer_id as computerId',
        'computers.name as hostname',
        ringReason.as('ringReason'),
        sql<ComputerState>`placed.state`.as('state'),
        'placed.released_at as releasedAtUtc',
        'placed.finished_at as finishedAtUtc',
        'placed.failed_at as failedAtUtc',
        'placed.exit_code as exitCode',
        'placed.cause as error',
        'placed.silent_at as silentSinceUtc',
        'placed.boot_failed_at as bootFailedAtUtc',
      ])
    return pageOf(call, rows, { columns: ['ring', 'position', 'computerId'] }, { query: matching, once: false })
  },
})

/** The failures of tasks have the same causes, and errors of the service in their own words. */
const hasError = (error: string) => sql<boolean>`placed.cause = any (${[error, toFailureCause(error)]}::text[])`

/** The first condition of a ring that the computer meets decides. */
const ringReason = sql<string>`case ring.size_kind
  when 'Group' then 'It was in the group ' || coalesce(groups.path, 'of the ring') || ' when the ring was formed or when it joined.'
  when 'Rest' then 'No earlier ring takes it; its position is ' || round(placed.position::numeric, 6) || '.'
  else 'Its position ' || round(placed.position::numeric, 6) || ' is below ' || round(ring.positions_below::numeric, 6)
    || ', and no earlier ring takes it.'
  end`
