import type { Database } from '../../../../database/connect.ts'
import { Answer, created, ok, operation } from '../../../../platform/operation.ts'
import { affectsGroup } from '../../../groups/affected-computers.ts'
import { GroupPath } from '../../../groups/api/schemas.ts'
import { groupNotFound, isSpecial, lockGroup, specialGroup } from '../../../groups/groups.ts'
import { osImageSkuNotFound, packageNotFound } from '../../../packages/problems.ts'
import { assignSingleToGroup } from '../../assign-to-group.ts'
import { type AssignablePackage, pinPackage, requireEndpoint } from '../../assignable-package.ts'
import { wrongEndpointForType } from './problems.ts'
import { AssignOsImageSkuRequest, GroupOsImageSkuAssignment } from './schemas.ts'

export const assignGroupOsImageSku = operation({
  id: 'assignGroupOsImageSku',
  route: 'POST /api/group/:id/os-image-sku',
  summary: 'Assign an operating system edition (SKU) to a group, replacing the current one',
  description:
    'A group has at most one SKU: another one that is assigned to the group is replaced. Answers 201 if the ' +
    'assignment is new and 200 if nothing changed. With `skipIfInherited`, nothing is stored if the group already ' +
    'inherits the same SKU. Reinstall, EOL and Restore groups are refused with 409. A package that is not an ' +
    'operating system is refused with 409, which names the right endpoint.',
  role: 'group.write',
  massAction: affectsGroup,
  params: GroupPath,
  body: AssignOsImageSkuRequest,
  returns: { ...created(GroupOsImageSkuAssignment), ...ok(GroupOsImageSkuAssignment) },
  problems: [groupNotFound, packageNotFound, osImageSkuNotFound, specialGroup, wrongEndpointForType],
  async handle({ params, body: { packageId, skuId, skipIfInherited }, db }) {
    const group = await lockGroup(db, params.id)
    const found = await pinPackage(db, packageId)
    if (isOperatingSystem(found)) await pinSku(db, found.id, skuId)
    if (isSpecial(group.kind)) throw specialGroup({ groupId: group.id })
    requireEndpoint(found, 'os-image-sku')
    const { status, outcome } = await assignSingleToGroup(db, 'osImageSku', group.id, skuId, skipIfInherited)
    return new Answer(status, { groupId: group.id, packageId: found.id, skuId, ...outcome })
  },
})

// For another kind of package, the problem is the package and not the missing SKU.
const isOperatingSystem = ({ kind }: AssignablePackage) => kind === 'OperatingSystem'

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
