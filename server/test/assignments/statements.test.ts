import { expect, test } from 'vitest'
import { getComputerAgentTemplate } from '../../src/features/assignments/api/effective/get-computer-agent-template.ts'
import { getComputerOsImageSku } from '../../src/features/assignments/api/effective/get-computer-os-image-sku.ts'
import { getComputerPxeBootImage } from '../../src/features/assignments/api/effective/get-computer-pxe-boot-image.ts'
import { listComputerLanguagePacks } from '../../src/features/assignments/api/effective/list-computer-language-packs.ts'
import { listComputerPackageGroups } from '../../src/features/assignments/api/effective/list-computer-package-groups.ts'
import { getOsDeploymentReadiness } from '../../src/features/os-deployment/api/get-os-deployment-readiness.ts'
import { listOperatingSystemImports } from '../../src/features/packages/api/operating-systems/list-operating-system-imports.ts'
import { getSoftwareClass } from '../../src/features/packages/api/software-classes/get-software-class.ts'
import type { AnyOperation } from '../../src/platform/operation.ts'
import type { Role } from '../../src/platform/roles.ts'
import { openWorld } from '../world/open-world.ts'
import { countStatements } from '../world/statements.ts'

const { as, given } = await openWorld()

/** The number of statements of a request, without the one that reads the roles of the caller. */
async function countOf(operation: AnyOperation, params: object): Promise<number> {
  const caller = as(operation.role as Role)
  await caller.call(operation, { params })
  const count = await countStatements(async () => expect((await caller.call(operation, { params })).status).toBe(200))
  return count - 1
}

/** The number of statements of each read, for a computer below this many groups with objects of every kind. */
async function countStatementsOfReads(size: number): Promise<Record<string, number>> {
  const computer = await given.computer()
  const system = await given.osImage({ editions: Array.from({ length: size }, (_, at) => `Edition ${at}`) })
  const packages = []
  let group = await given.group()
  for (const sku of system.skus) {
    group = await given.group({ parent: group })
    packages.push(await given.package())
    await given.assignment(group, sku, 'osImageSku')
    await given.assignment(group, await given.pxeBootImage(), 'pxeBootImage')
    await given.assignment(group, await given.agentTemplate(), 'agentTemplate')
    for (const pack of [await given.languagePack(), await given.languagePack()])
      await given.assignment(group, pack, 'languagePack')
    for (const one of packages) await given.assignment(group, one, 'package')
  }
  await given.member(group, computer)
  const software = await given.softwareClass({ packages })
  const params = { id: computer.id }
  return {
    agentTemplate: await countOf(getComputerAgentTemplate, params),
    osImageSku: await countOf(getComputerOsImageSku, params),
    pxeBootImage: await countOf(getComputerPxeBootImage, params),
    readiness: await countOf(getOsDeploymentReadiness, params),
    languagePacks: await countOf(listComputerLanguagePacks, params),
    packageGroups: await countOf(listComputerPackageGroups, { ...params, packageId: packages[0]?.id }),
    operatingSystems: await countOf(listOperatingSystemImports, {}),
    softwareClass: await countOf(getSoftwareClass, { id: software.id }),
  }
}

test('the number of statements of a read depends neither on groups and assignments nor on the length of a list', async () => {
  const [small, large] = [await countStatementsOfReads(1), await countStatementsOfReads(12)]

  expect(large).toEqual(small)
  expect(large).toEqual({
    agentTemplate: 1,
    osImageSku: 1,
    pxeBootImage: 1,
    readiness: 1,
    languagePacks: 2,
    packageGroups: 3,
    operatingSystems: 1,
    softwareClass: 2,
  })
})
