import type { Database } from '../../../../database/connect.ts'
import { Answer, created, ok, operation } from '../../../../platform/operation.ts'
import { GroupPath } from '../../../groups/api/schemas.ts'
import { groupNotFound, isSpecial, pinGroup, specialGroup } from '../../../groups/groups.ts'
import { osImageSkuNotFound, packageNotFound } from '../../../packages/problems.ts'
import { assignSingle } from '../../assignments.ts'
import { type PinnedPackage, pinPackage, requireEndpoint } from '../../packages.ts'
import { wrongEndpointForType } from './problems.ts'
import { AssignOsImageSkuRequest, GroupOsImageSkuAssignment } from './schemas.ts'

export const assignGroupOsImageSku = operation({
  id: 'assignGroupOsImageSku',
  route: 'POST /api/group/:id/os-image-sku',
  summary: 'Assign a SKU of an operating system to a group, in the place of the one it has',
  description: '201 when it is new to the group, 200 when nothing changed.',
  role: 'group.write',
  params: GroupPath,
  body: AssignOsImageSkuRequest,
  returns: { ...created(GroupOsImageSkuAssignment), ...ok(GroupOsImageSkuAssignment) },
  problems: [groupNotFound, packageNotFound, osImageSkuNotFound, specialGroup, wrongEndpointForType],
  async handle({ params, body: { packageId, skuId, skipIfInherited }, db }) {
    const group = await pinGroup(db, params.id)
    const found = await pinPackage(db, packageId)
    if (isOperatingSystem(found)) await pinSku(db, found.id, skuId)
    if (isSpecial(group.kind)) throw specialGroup({ groupId: group.id })
    requireEndpoint(found, 'os-image-sku')
    const { status, outcome } = await assignSingle(db, 'osImageSku', group.id, skuId, skipIfInherited)
    return new Answer(status, { groupId: group.id, packageId: found.id, skuId, ...outcome })
  },
})

// Another package has no SKUs, but then it is the package that is wrong.
const isOperatingSystem = ({ kind }: PinnedPackage) => kind === 'OperatingSystem'

async function pinSku(db: Database, packageId: string, skuId: number): Promise<void> {
  const sku = await db
    .selectFrom('os_image_skus')
    .select('id')
    .where('id', '=', skuId)
    .where('package_id', '=', packageId)
    .forKeyShare()
    .executeTakeFirst()
  if (!sku) throw osImageSkuNotFound({ packageId, skuId })
}
