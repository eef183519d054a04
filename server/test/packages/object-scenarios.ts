import type { World } from '../world/open-world.ts'
import type { Scenario } from '../world/scenario.ts'

const onOne =
  (make: (given: World['given']) => Promise<{ id: number | string }>): Scenario =>
  async ({ given }) => ({ params: { id: (await make(given)).id } })

const onOsImage = onOne((given) => given.osImage())
const onPxeBootImage = onOne((given) => given.pxeBootImage())
const onLanguagePack = onOne((given) => given.languagePack())
const onAgentTemplate = onOne((given) => given.agentTemplate())
const onSoftwareClass = onOne((given) => given.softwareClass())
const onComputer = onOne((given) => given.computer())

/** A computer in a group that assigns one object of each kind. */
const onComputerWithAssignments: Scenario = async ({ given }) => {
  const [computer, group, system] = [await given.computer(), await given.group(), await given.osImage()]
  await given.member(group, computer)
  await given.assignment(group, await given.agentTemplate(), 'agentTemplate')
  await given.assignment(group, await given.pxeBootImage(), 'pxeBootImage')
  for (const sku of system.skus) await given.assignment(group, sku, 'osImageSku')
  return { params: { id: computer.id } }
}

export const objectsScenarios: Record<string, Scenario> = {
  getOperatingSystemImport: onOsImage,
  listOsImageSkuGroups: async ({ given }) => {
    const { id, skus } = await given.osImage()
    return { params: { id, skuId: skus[0]?.id } }
  },
  getPxeBootImage: onPxeBootImage,
  listPxeBootImageGroups: onPxeBootImage,
  getLanguagePackImport: onLanguagePack,
  listLanguagePackImportGroups: onLanguagePack,
  getAgentTemplate: onAgentTemplate,
  listAgentTemplateGroups: onAgentTemplate,
  getSoftwareClass: onSoftwareClass,
  listSoftwareClassGroups: onSoftwareClass,
  getComputerAgentTemplate: onComputerWithAssignments,
  getComputerOsImageSku: onComputerWithAssignments,
  getComputerPxeBootImage: onComputerWithAssignments,
  listComputerLanguagePacks: onComputer,
  getOsDeploymentReadiness: onComputer,
  listComputerPackageGroups: async ({ given }) => ({
    params: { id: (await given.computer()).id, packageId: (await given.package()).id },
  }),
}
