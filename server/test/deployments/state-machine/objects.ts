import { randomBytes, randomUUID } from 'node:crypto'
import { reportContact } from '../../../src/channels/agent/report-contact.ts'
import { listSoftwareReinstalls } from '../../../src/features/deployments/api/requests/list-software-reinstalls.ts'
import { type AgentWorld, contact } from '../../channels/agent/agent-world.ts'
import { groups } from './groups.ts'
import { editions, type ModelPackage, operatingSystem, packages } from './packages.ts'

const commands = { install: { argv: ['sh', 'install.sh'] }, uninstall: { argv: ['sh', 'uninstall.sh'] } }

type CreatedPackage = { id: string; imageId?: number; skuIds?: number[] }

/** The computers, groups and packages of the model in the service. */
export async function createObjects(world: AgentWorld) {
  const { db, given, agent, readyPackage } = world
  const suffix = randomBytes(6).toString('hex')
  const agents = [await agent(), await agent()]
  const runIds = agents.map(() => randomUUID() as string)
  const computerId = (computer: number) => agents[computer]?.id ?? 0
  const identities = await db
    .selectFrom('computers')
    .select(['id', 'mac_key', 'uuid'])
    .where(
      'id',
      'in',
      agents.map(({ id }) => id),
    )
    .orderBy('id')
    .execute()
  const packageRows: CreatedPackage[] = []
  for (const one of packages) packageRows.push(await createPackage(one))

  async function createPackage({ name, version, kind, requires, ...isFor }: ModelPackage): Promise<CreatedPackage> {
    const unique = `${name} ${suffix}`
    const columns = { name: unique, package_name: unique, version }
    const architecture = isFor.architecture ? { architecture: isFor.architecture } : {}
    if (kind === 'OperatingSystem') {
      const manifest = JSON.stringify({ image: { file: 'install.img', ...architecture } })
      const { id, skus } = await given.osImage({ ...columns, manifest, editions })
      return { id, skuIds: skus.map((sku) => sku.id) }
    }
    if (kind === 'PxeBootImage') {
      const manifest = JSON.stringify({ boot: { kernel: name, ...architecture } })
      const { packageId: id, id: imageId } = await given.pxeBootImage({ ...columns, manifest })
      return { id, imageId }
    }
    if (kind === 'LanguagePack') {
      const image = { file: 'language.cab', language: 'de-DE', ...architecture }
      return readyPackage({ ...columns, kind, manifest: JSON.stringify({ image, commands }) })
    }
    return readyPackage({
      ...columns,
      is_pre_os: kind === 'PreOs',
      operating_systems: [...(isFor.systems ?? [])],
      requires: requires ? [`${requires} ${suffix}`] : [],
    })
  }

  const softwareClass = await given.softwareClass()
  const groupIds: string[] = []
  for (const [group, { parent, members }] of groups.entries()) groupIds.push(await newGroup(group, parent, members))

  async function newGroup(group: number, parent: number | null, members: readonly number[]): Promise<string> {
    const { tree } = groups[group] ?? groups[0]
    const above = parent === null ? await given.root(tree) : { id: groupIds[parent] ?? '', tree }
    // The paths of the groups have the order of the groups.
    const created = await given.group({ parent: above, name: `${group} ${randomBytes(6).toString('hex')}` })
    for (const member of members) await given.member(created, { id: computerId(member) })
    return created.id
  }

  const packageId = (one: number) => packageRows[one]?.id ?? ''
  const groupId = (group: number) => groupIds[group] ?? ''
  const packageOf = (id: string) => packageRows.findIndex((one) => one.id === id)
  const pxeId = (image: number) => packageRows[image]?.imageId ?? 0
  const skuId = (edition: number) => packageRows[operatingSystem]?.skuIds?.[edition] ?? 0
  const itself = (computer: number) => (agents[computer] ?? world.agentWith({ clientId: 0, credential: '' })).itself
  const runId = (computer: number) => runIds[computer] ?? ''

  // A computer that was never heard of has another health.
  for (const [computer, { itself: agentItself }] of agents.entries())
    await agentItself.call(reportContact, { body: { ...contact(), runId: runId(computer) } })

  const pendingReinstalls = async (computer: number) =>
    (await world.as('computer.read').call(listSoftwareReinstalls, { params: { id: computerId(computer) } })).body.items

  return {
    ...{ world, suffix, agents, runIds, identities, packageRows, softwareClass, groupIds, newGroup },
    ...{ computerId, packageId, groupId, packageOf, pxeId, skuId, itself, runId, pendingReinstalls },
  }
}

export type Objects = Awaited<ReturnType<typeof createObjects>>
