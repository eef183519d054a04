import { sql } from 'kysely'
import { advanceRollout } from '../../src/features/rollouts/api/advance-rollout.ts'
import { cancelRollout } from '../../src/features/rollouts/api/cancel-rollout.ts'
import { createRollout } from '../../src/features/rollouts/api/create-rollout.ts'
import { getRollout } from '../../src/features/rollouts/api/get-rollout.ts'
import { listRolloutComputers } from '../../src/features/rollouts/api/list-rollout-computers.ts'
import { pauseRollout } from '../../src/features/rollouts/api/pause-rollout.ts'
import { resumeRollout } from '../../src/features/rollouts/api/resume-rollout.ts'
import { retryRollout } from '../../src/features/rollouts/api/retry-rollout.ts'
import { continueRollout } from '../../src/features/rollouts/continue-rollout.ts'
import { openAgentWorld, type PackageColumns, type result } from '../channels/agent/agent-world.ts'
import type { Input } from '../world/caller.ts'

type Changes = Partial<ReturnType<typeof result>>

type CreateBody = NonNullable<
  Input<typeof createRollout.params, typeof createRollout.query, typeof createRollout.body>['body']
>

/** A world with groups of agents and rollouts to them. */
export async function openRolloutWorld(...options: Parameters<typeof openAgentWorld>) {
  const world = await openAgentWorld(...options)
  const { agent, as, db, given, readyPackage } = world
  const operator = as('activation.execute', 'computer.read')

  type Agent = Awaited<ReturnType<typeof agent>>

  /** A group of agents to which the packages are assigned. */
  async function fleet(size: number, ...packages: PackageColumns[]) {
    const group = await given.group({ tree: 'AssignmentGroups' })
    const assigned = []
    for (const columns of packages.length > 0 ? packages : [{}]) {
      const made = await readyPackage(columns)
      await given.assignment(group, made, 'package')
      assigned.push(made)
    }
    const agents: Agent[] = []
    for (let made = 0; made < size; made++) agents.push(await join(group))
    return { group, agents, packages: assigned }
  }

  async function join(group: { id: string }): Promise<Agent> {
    const one = await agent()
    await given.member(group, one)
    return one
  }

  const create = async (group: { id: string }, body: Partial<CreateBody> = {}, query = {}) =>
    operator.call(createRollout, {
      body: { name: 'PDF viewer 24.2', groupId: group.id, rings: [{}], ...body },
      query,
    })

  const read = async (id: string) => (await operator.call(getRollout, { params: { id } })).body

  const computers = async (id: string, query: { ring?: number; state?: 'Failed' } = {}) =>
    (await operator.call(listRolloutComputers, { params: { id }, query: { top: 1000, ...query } })).body.items

  const call = (operation: typeof pauseRollout | typeof resumeRollout, id: string) =>
    operator.call(operation as typeof resumeRollout, { params: { id } })

  /** What the periodic task does. */
  const tick = async (id: string) => {
    await continueRollout(db, id)
    return read(id)
  }

  /** Contacts of the agents, each of which carries out what it gets. Returns how many work items these were. */
  async function work(agents: readonly Agent[], changes: (agent: Agent) => Changes = () => ({})): Promise<number> {
    let count = 0
    for (const one of agents) {
      for (const { workId, attempt } of (await one.contact()).body.work) {
        await one.start(workId, attempt)
        await one.report(workId, { attempt, ...changes(one) })
        count++
      }
    }
    return count
  }

  /** Fails the work of an agent for good: all its attempts. */
  async function fail(agents: readonly Agent[], changes: (agent: Agent) => Changes = () => ({})): Promise<void> {
    for (let attempt = 1; attempt <= 3; attempt++) {
      await work(agents, (one) => ({ status: 'Failed', exitCode: 1603, output: 'It failed.', ...changes(one) }))
      await sql`
        update work set not_before = now() - interval '1 second' where state = 'Due' and failures > 0`.execute(db)
    }
  }

  /** As if everything about the rollout had happened earlier. */
  async function letMinutesPass(id: string, minutes: number): Promise<void> {
    const ago = sql`make_interval(mins => ${minutes})`
    await sql`
      with passed_rollout as (
        update rollouts set resumed_at = resumed_at - ${ago}, catch_up_until = catch_up_until - ${ago} where id = ${id}
      ), passed_rings as (
        update rollout_rings set opened_at = opened_at - ${ago}, criteria_met_at = criteria_met_at - ${ago}
        where rollout_id = ${id}
      ), passed_contacts as (
        update computer_contacts set last_seen_at = last_seen_at - ${ago}
      ), passed_work as (
        update work set created_at = created_at - ${ago}, closed_at = closed_at - ${ago}
      )
      update rollout_computers set released_at = released_at - ${ago}, finished_at = finished_at - ${ago},
        failed_at = failed_at - ${ago}
      where rollout_id = ${id}`.execute(db)
  }

  const pause = (id: string) => operator.call(pauseRollout, { params: { id }, body: { reason: 'A problem' } })
  const resume = (id: string) => call(resumeRollout, id)
  const advance = (id: string) => operator.call(advanceRollout, { params: { id } })
  const cancel = (id: string) => operator.call(cancelRollout, { params: { id } })
  const retry = (id: string) => operator.call(retryRollout, { params: { id } })
  const actions = { pause, resume, advance, cancel, retry }

  return {
    ...world,
    operator,
    fleet,
    join,
    create,
    read,
    computers,
    tick,
    doWork: work,
    fail,
    letMinutesPass,
    ...actions,
  }
}

export type RolloutWorld = Awaited<ReturnType<typeof openRolloutWorld>>
