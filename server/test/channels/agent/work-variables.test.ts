import { expect, test } from 'vitest'
import { createComputerCollectionEntry } from '../../../src/features/variables/api/computers/create-computer-collection-entry.ts'
import { setComputerVariable } from '../../../src/features/variables/api/computers/set-computer-variable.ts'
import { createGroupCollectionEntry } from '../../../src/features/variables/api/groups/create-group-collection-entry.ts'
import { openAgentWorld } from './agent-world.ts'
import { leasedWorkIn } from './leased-work.ts'

const agentWorld = await openAgentWorld()
const { as, given } = agentWorld
const { leasedWork } = leasedWorkIn(agentWorld)

const manifest = (properties: object) => JSON.stringify({ commands: { install: { argv: ['true'] } }, ...properties })

test('started work gets the effective variables, but only those secrets that the manifest names', async () => {
  const [open, named, other] = [
    await given.variable({ default_value: 'by default' }),
    await given.variable({ is_secret: true }),
    await given.variable({ is_secret: true }),
  ]
  const secrets = [named.dotted_name.toUpperCase(), open.dotted_name, 'Not.Defined']
  const { id, start, workId } = await leasedWork({ manifest: manifest({ secrets }) })
  for (const variable of [named, other])
    await as('computer.write').call(setComputerVariable, {
      params: { id, varId: variable.id },
      body: { value: `secret of ${variable.dotted_name}` },
    })

  const { body } = await start(workId)

  expect(body.variables).toMatchObject({ [open.dotted_name]: 'by default' })
  expect(body.variables).not.toHaveProperty(named.dotted_name)
  expect(body.secrets).toEqual({ [named.dotted_name]: `secret of ${named.dotted_name}` })
})

test('started work gets a value from its schedule on', async () => {
  const variable = await given.variable({ default_value: 'before' })
  const { id, start, workId } = await leasedWork()
  const set = (schedule: string) =>
    as('computer.write').call(setComputerVariable, {
      params: { id, varId: variable.id },
      body: { value: 'after', schedule },
    })
  const value = async () => (await start(workId)).body.variables[variable.dotted_name]

  await set(new Date(Date.now() + 3_600_000).toISOString())
  expect(await value()).toBe('before')
  await set(new Date(Date.now() - 1_000).toISOString())
  expect(await value()).toBe('after')
})

test('started work gets its entries of collections, but only those secret children that the manifest names', async () => {
  const collection = await given.variable({ kind: 'Collection' })
  const name = collection.dotted_name
  const child = (designation: string, is_secret = false) =>
    given.variable({ parent: collection, designation, is_secret })
  const children = [await child('Host'), await child('Key', true), await child('Pin', true)]
  const { id, start, workId } = await leasedWork({ manifest: manifest({ secrets: [children[2]?.dotted_name] }) })
  const other = await given.computer()
  for (const [owner, Host] of [
    [id, 'print01'],
    [id, 'print02'],
    [other.id, 'print03'],
  ] as const)
    await as('computer.write').call(createComputerCollectionEntry, {
      params: { id: owner, varId: collection.id },
      body: { values: { Host, Key: `key of ${Host}`, Pin: `pin of ${Host}` } },
    })

  const { body } = await start(workId)

  expect(body.collections).toEqual({ [name]: [{ Host: 'print01' }, { Host: 'print02' }] })
  expect(body.variables).toMatchObject({
    [`${name}.1.Host`]: 'print01',
    [`${name}.2.Host`]: 'print02',
    [`${name}.Count`]: '2',
  })
  expect(body.secrets).toEqual({ [`${name}.1.Pin`]: 'pin of print01', [`${name}.2.Pin`]: 'pin of print02' })
  expect(JSON.stringify(body)).not.toMatch(/key of|print03/)
})

test('the nearest owner of entries decides the whole collection', async () => {
  const collection = await given.variable({ kind: 'Collection' })
  await given.variable({ parent: collection, designation: 'Host' })
  const { id, start, workId } = await leasedWork()
  const outer = await given.group()
  const inner = await given.group({ parent: outer })
  await given.member(inner, { id })
  const ofGroup = (group: { id: string }, Host: string) =>
    as('group.write').call(createGroupCollectionEntry, {
      params: { id: group.id, varId: collection.id },
      body: { values: { Host } },
    })
  const hosts = async () =>
    (await start(workId)).body.collections[collection.dotted_name]?.map(({ Host }) => Host) ?? []

  await ofGroup(outer, 'far')
  expect(await hosts()).toEqual(['far'])
  await ofGroup(inner, 'near 1')
  await ofGroup(inner, 'near 2')
  expect(await hosts()).toEqual(['near 1', 'near 2'])
  await as('computer.write').call(createComputerCollectionEntry, {
    params: { id, varId: collection.id },
    body: { values: { Host: 'own' } },
  })
  expect(await hosts()).toEqual(['own'])
})

test('a collection with too much text for an environment is only in the file of collections', async () => {
  const collection = await given.variable({ kind: 'Collection' })
  await given.variable({ parent: collection, designation: 'Text' })
  const { id, start, workId } = await leasedWork()
  const values = { Text: 'x'.repeat(40_000) }
  await as('computer.write').call(createComputerCollectionEntry, {
    params: { id, varId: collection.id },
    body: { values },
  })

  const { body } = await start(workId)

  expect(body.collections[collection.dotted_name]).toEqual([values])
  expect(body.variables[`${collection.dotted_name}.Count`]).toBe('1')
  expect(body.variables).not.toHaveProperty([`${collection.dotted_name}.1.Text`])
})
