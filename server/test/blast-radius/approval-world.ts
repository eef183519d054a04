import { afterEach, expect } from 'vitest'
import { approveRequest } from '../../src/features/blast-radius/api/approve-request.ts'
import { setBlastRadius } from '../../src/features/blast-radius/api/set-blast-radius.ts'
import { deleteGroup } from '../../src/features/groups/api/delete-group.ts'
import { getGroup } from '../../src/features/groups/api/get-group.ts'
import type { Configuration } from '../../src/platform/configuration.ts'
import type { Role } from '../../src/platform/roles.ts'
import { openWorld } from '../world/open-world.ts'

/** What the problem of a request above the quota contains. */
export type Refusal = { approvalId: string; computerCount: number; quota: number; usedInLastHour: number }

/** The deletion of a group with its members. */
export const remove = (group: { id: string }, query: { dryRun?: boolean } = {}) => ({
  params: { id: group.id },
  query: { force: true, ...query },
})

/** A world with principals that exceed quotas, and others that approve. After each test there is no quota. */
export async function openApprovalWorld(configuration: Partial<Configuration> = {}) {
  const world = await openWorld({ configuration: { signInRateLimit: 0, ...configuration } })
  const { app, as, given, withToken } = world
  const administrator = () => as('admin.manage')
  const setQuota = (apiQuota: number | null, consoleQuota: number | null = 500) =>
    administrator().call(setBlastRadius, { body: { apiQuota, consoleQuota } })
  afterEach(() => setQuota(null))

  /** A principal with its token. */
  async function principal(...roles: Role[]) {
    const { id } = await given.localPrincipal({ roles })
    return { id, ...withToken(await app.services.tokens.issue(id)) }
  }

  async function groupWith(computerCount: number) {
    const group = await given.group()
    for (let count = 0; count < computerCount; count++) await given.member(group, await given.computer())
    return group
  }

  /** A deletion that waits for approval. */
  async function pendingDeletion(computerCount = 3) {
    const requester = await principal('group.write')
    const group = await groupWith(computerCount)
    await setQuota(computerCount - 1)
    const refused = await requester.call(deleteGroup, remove(group))
    expect(refused).toMatchObject({ status: 409, problem: 'ApprovalRequired' })
    return { requester, group, id: (refused.raw as Refusal).approvalId }
  }

  return {
    ...world,
    administrator,
    setQuota,
    principal,
    groupWith,
    pendingDeletion,
    approve: (id: string, by = administrator()) => by.call(approveRequest, { params: { id } }),
    isGone: async ({ id }: { id: string }) =>
      (await as('group.read').call(getGroup, { params: { id } })).status === 404,
  }
}
