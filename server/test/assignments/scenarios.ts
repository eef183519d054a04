import type { AssignmentKind } from '../../src/features/assignments/effective-assignments.ts'
import type { World } from '../world/open-world.ts'
import type { Scenario } from '../world/scenario.ts'

const onGroup: Scenario = async ({ given }) => ({ params: { id: (await given.group()).id } })

type Object = { id: number | string }

/** A group with the object, and the path parameters of the object. */
function groupWith(
  kind: AssignmentKind,
  make: (world: World) => Promise<Object>,
  path: (object: Object) => object = () => ({}),
): Scenario {
  return async (world) => {
    const [group, object] = [await world.given.group(), await make(world)]
    await world.given.assignment(group, object, kind)
    return { params: { id: group.id, ...path(object) } }
  }
}

/** A group without an object, and the body that assigns one. */
function groupWithout(body: (world: World) => Promise<object>): Scenario {
  return async (world) => ({ params: { id: (await world.given.group()).id }, body: await body(world) })
}

const sku = async ({ given }: World) => {
  const { id: packageId, skus } = await given.osImage()
  return { packageId, id: skus[0]?.id ?? 0 }
}
const byPackage = ({ id }: Object) => ({ packageId: id })

export const assignmentScenarios: Record<string, Scenario> = {
  listGroupAssignments: onGroup,
  listGroupPackages: onGroup,
  assignGroupPackage: groupWithout(async ({ given }) => ({ packageId: (await given.package()).id })),
  removeGroupPackage: groupWith('package', ({ given }) => given.package(), byPackage),
  replacePackage: async ({ given }) => {
    const [before, after] = [await given.package(), await given.package()]
    await given.assignment(await given.group(), before, 'package')
    return { body: { oldPackageId: before.id, newPackageId: after.id } }
  },
  getGroupPxeBootImage: groupWith('pxeBootImage', ({ given }) => given.pxeBootImage()),
  assignGroupPxeBootImage: groupWithout(async ({ given }) => ({ pxeId: (await given.pxeBootImage()).id })),
  removeGroupPxeBootImage: groupWith(
    'pxeBootImage',
    ({ given }) => given.pxeBootImage(),
    ({ id }) => ({ pxeId: id }),
  ),
  getGroupOsImageSku: groupWith('osImageSku', sku),
  assignGroupOsImageSku: groupWithout(async (world) => {
    const { packageId, id } = await sku(world)
    return { packageId, skuId: id }
  }),
  removeGroupOsImageSku: groupWith('osImageSku', sku, ({ id }) => ({ skuId: id })),
  getGroupAgentTemplate: groupWith('agentTemplate', ({ given }) => given.agentTemplate()),
  assignGroupAgentTemplate: groupWithout(async ({ given }) => ({ packageId: (await given.agentTemplate()).id })),
  removeGroupAgentTemplate: groupWith('agentTemplate', ({ given }) => given.agentTemplate(), byPackage),
  listGroupLanguagePacks: onGroup,
  assignGroupLanguagePack: groupWithout(async ({ given }) => ({ packageId: (await given.languagePack()).id })),
  removeGroupLanguagePack: groupWith('languagePack', ({ given }) => given.languagePack(), byPackage),
  listGroupSoftwareClasses: onGroup,
  assignGroupSoftwareClass: groupWithout(async ({ given }) => ({ classId: (await given.softwareClass()).id })),
  removeGroupSoftwareClass: groupWith(
    'softwareClass',
    ({ given }) => given.softwareClass(),
    ({ id }) => ({ classId: id }),
  ),
}
