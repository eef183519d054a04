import { describe, expect, test } from 'vitest'
import { getVariableDefinition } from '../../src/features/variables/api/definitions/get-variable-definition.ts'
import { listFleetVariables } from '../../src/features/variables/api/definitions/list-fleet-variables.ts'
import { listVariableDefinitionChildren } from '../../src/features/variables/api/definitions/list-variable-definition-children.ts'
import { listVariableDefinitionComputers } from '../../src/features/variables/api/definitions/list-variable-definition-computers.ts'
import { listVariableDefinitionConfigurations } from '../../src/features/variables/api/definitions/list-variable-definition-configurations.ts'
import { listVariableDefinitionGroups } from '../../src/features/variables/api/definitions/list-variable-definition-groups.ts'
import { listVariableDefinitionPackages } from '../../src/features/variables/api/definitions/list-variable-definition-packages.ts'
import { listVariableDefinitions } from '../../src/features/variables/api/definitions/list-variable-definitions.ts'
import { searchVariableDefinitions } from '../../src/features/variables/api/definitions/search-variable-definitions.ts'
import { openWorld } from '../world/open-world.ts'
import { ownersIn } from './owners.ts'

const world = await openWorld()
const { as, given } = world
const reader = as('package.read')
const [computers, groups] = await ownersIn(world)

describe('reading the catalog', () => {
  test('a definition is returned with all its properties', async () => {
    const parent = await given.variable({ kind: 'Category' })
    const { id } = await given.variable({ parent, designation: 'Proxy', default_value: 'none', description: 'For all' })

    const read = await reader.call(getVariableDefinition, { params: { varId: id } })

    expect(read.body).toEqual({
      varId: id,
      parentId: parent.id,
      designation: 'Proxy',
      dottedName: `${parent.designation}.Proxy`,
      kind: 'Scalar',
      description: 'For all',
      defaultValue: 'none',
      isSecret: false,
      isSystem: false,
    })
  })

  test('definitions are listed in pages ordered by varId, including those of every installation', async () => {
    await given.variable()

    const all = await reader.call(listVariableDefinitions, { query: { top: 1000 } })
    const page = await reader.call(listVariableDefinitions, { query: { skip: 1, top: 1 } })

    const ids = all.body.items.map(({ varId }) => varId)
    expect(ids).toEqual(ids.toSorted((a, b) => a - b))
    expect(all.body.items).toContainEqual(
      expect.objectContaining({ dottedName: 'DomainJoin.OuForComputerAccounts', isSystem: true }),
    )
    expect(page.body).toMatchObject({ items: [all.body.items[1]], totalCount: ids.length, hasMore: true })
  })

  test('a category or collection has children, and a scalar has none', async () => {
    const parent = await given.variable({ kind: 'Collection' })
    const children = [await given.variable({ parent }), await given.variable({ parent })]

    const listed = await reader.call(listVariableDefinitionChildren, { params: { varId: parent.id } })
    const none = await reader.call(listVariableDefinitionChildren, { params: { varId: children[0]?.id ?? 0 } })

    expect(listed.body.items.map(({ varId }) => varId)).toEqual(children.map(({ id }) => id))
    expect(none.body.items).toEqual([])
  })

  test('every read of an unknown variable answers 404', async () => {
    const params = { varId: 2_000_000_000 }

    const refused = [
      await reader.call(getVariableDefinition, { params }),
      await reader.call(listVariableDefinitionChildren, { params }),
      await reader.call(listVariableDefinitionComputers, { params }),
      await reader.call(listVariableDefinitionGroups, { params }),
      await reader.call(listVariableDefinitionConfigurations, { params }),
    ]

    for (const answer of refused)
      expect(answer).toMatchObject({ status: 404, problem: 'VariableNotFound', raw: params })
  })
})

describe('searching the catalog', () => {
  const found = async (body: { name?: string; nameContains?: string; kind?: string | null }) =>
    (await reader.call(searchVariableDefinitions, { body, query: { top: 1000 } })).body.items.map(({ varId }) => varId)

  test('a search for definitions by name compares the whole designation or dotted name, regardless of case', async () => {
    const [one, two] = [await given.variable({ kind: 'Category' }), await given.variable({ kind: 'Collection' })]
    const first = await given.variable({ parent: one, designation: `Find${one.id}` })
    const second = await given.variable({ parent: two, designation: `fIND${one.id}` })

    expect(await found({ name: `find${one.id}` })).toEqual([first.id, second.id])
    expect(await found({ name: second.dotted_name.toUpperCase() })).toEqual([second.id])
    expect(await found({ name: `find${one.id}`.slice(0, -1) })).toEqual([])
  })

  test('a search for definitions by a part of the name takes wildcards literally, and combines criteria with AND', async () => {
    const percent = await given.variable({ designation: 'zq%_sure\\' })
    const plain = await given.variable({ designation: 'zqXYsure', kind: 'UserDefined' })

    expect(await found({ nameContains: 'q%_S' })).toEqual([percent.id])
    expect(await found({ nameContains: 'sure\\' })).toEqual([percent.id])
    expect(await found({ nameContains: 'zq' })).toEqual([percent.id, plain.id])
    expect(await found({ nameContains: 'zq', kind: 'userdefined' })).toEqual([plain.id])
    expect(await found({ nameContains: 'zq', kind: null })).toEqual([percent.id, plain.id])
  })

  test('a search for definitions of an unknown kind is refused', async () => {
    const refused = await reader.call(searchVariableDefinitions, { body: { kind: 'Number' } })

    expect(refused).toMatchObject({ status: 400, raw: { errors: [{ in: 'body', name: 'kind' }] } })
  })
})

describe('the values of a variable', () => {
  test('a variable lists the computers and groups that have their own value, and no others', async () => {
    const variable = await given.variable({ default_value: 'default' })
    const group = await given.group()
    const [computer, member] = [await given.computer(), await given.computer()]
    await given.member(group, member)
    await computers?.set(computer.id, variable.id, { value: '', schedule: '2001-01-01T00:00:00Z' })
    await groups?.set(group.id, variable.id, { value: 'g' })

    const params = { varId: variable.id }
    const onComputers = await reader.call(listVariableDefinitionComputers, { params })
    const onGroups = await reader.call(listVariableDefinitionGroups, { params })

    expect(onComputers.body.items).toEqual([
      {
        id: computer.id,
        hostname: computer.name,
        domain: computer.domain,
        value: '',
        schedule: '2001-01-01T00:00:00Z',
        isSecret: false,
        collectionId: null,
      },
    ])
    expect(onGroups.body.items).toEqual([
      {
        id: group.id,
        name: group.name,
        path: `Configuration/${group.name}`,
        assignedToTree: 'ConfigurationGroups',
        value: 'g',
        schedule: null,
        isSecret: false,
        collectionId: null,
        forced: false,
      },
    ])
  })

  test('a collection and its children list each entry of a computer or group separately', async () => {
    const parent = await given.variable({ kind: 'Collection' })
    const child = await given.variable({ parent, designation: 'Host' })
    const [computer, group] = [await given.computer(), await given.group()]
    const entryIds: (number | undefined)[] = []
    for (const Host of ['a', 'b'])
      entryIds.push((await computers?.addEntry(computer.id, parent.id, { Host }))?.body.collectionId)
    const groupEntry = (await groups?.addEntry(group.id, parent.id, { Host: 'c' }))?.body.collectionId

    const ofCollection = await reader.call(listVariableDefinitionComputers, { params: { varId: parent.id } })
    const ofChild = await reader.call(listVariableDefinitionComputers, { params: { varId: child.id } })
    const onGroups = await reader.call(listVariableDefinitionGroups, { params: { varId: child.id } })

    const shown = ({
      id,
      collectionId,
      value,
    }: {
      id: number | string
      collectionId: number | null
      value: string | null
    }) => [id, collectionId, value]
    expect(ofCollection.body.items.map(shown)).toEqual(entryIds.map((entryId) => [computer.id, entryId, null]))
    expect(ofChild.body.items.map(shown)).toEqual([
      [computer.id, entryIds[0], 'a'],
      [computer.id, entryIds[1], 'b'],
    ])
    expect(onGroups.body.items.map(shown)).toEqual([[group.id, groupEntry, 'c']])
  })

  test('pages by cursor contain each entry of the same computers once', async () => {
    const parent = await given.variable({ kind: 'Collection' })
    await given.variable({ parent, designation: 'Host' })
    const expected: unknown[] = []
    for (const { id } of [await given.computer(), await given.computer()])
      for (const Host of ['a', 'b', 'c'])
        expected.push((await computers?.addEntry(id, parent.id, { Host }))?.body.collectionId)

    const seen: unknown[] = []
    let url: string | undefined = `/api/variable-definitions/${parent.id}/computers?top=2`
    while (url) {
      const page = await reader.send({ method: 'GET', url })
      seen.push(...(page.body as { items: { collectionId: number }[] }).items.map(({ collectionId }) => collectionId))
      url = page.headers.link?.match(/<(.*)>/)?.[1]
    }

    expect(seen).toEqual(expected)
  })

  test('a variable lists the variable configurations that set it', async () => {
    const [variable, other] = [await given.variable(), await given.variable()]
    const configuration = await given.variableConfiguration([{ variable, value: 'v', schedule: '2001-02-03' }])
    await given.variableConfiguration([{ variable: other, value: 'v' }])

    const listed = await reader.call(listVariableDefinitionConfigurations, { params: { varId: variable.id } })

    expect(listed.body.items).toEqual([
      {
        id: configuration.id,
        name: configuration.name,
        description: null,
        value: 'v',
        schedule: '2001-02-03',
        isSecret: false,
      },
    ])
  })
})

describe('the packages that use a variable', () => {
  const manifestOf = (content: object) => JSON.stringify({ kind: 'software', ...content })
  const usesOf = async ({ id }: { id: number }) => {
    const { body } = await reader.call(listVariableDefinitionPackages, { params: { varId: id } })
    return body.items.map(({ name, use, value }) => `${name}: ${use}${value === null ? '' : ` ${value}`}`).sort()
  }
  const packageWith = async (content: object, kind = 'Software') =>
    given.package({ kind, manifest: manifestOf(content) })

  test('are those with a default, a condition, a secret, or a command or property that mentions it', async () => {
    const category = await given.variable({ kind: 'Category' })
    const server = await given.variable({ parent: category, designation: 'Server-1' })
    const env = server.dotted_name.replaceAll(/\W/g, '_').toUpperCase()
    const template = await given.agentTemplate()
    await world.db
      .insertInto('package_variables')
      .values({ package_id: template.id, variable_id: server.id, value: 'print01' })
      .execute()
    const conditional = await packageWith({
      onlyFor: { variables: [{ name: server.dotted_name.toUpperCase(), values: ['a'] }] },
    })
    const secret = await packageWith({ secrets: [server.dotted_name.toLowerCase()] })
    const command = await packageWith({ commands: { install: [`setup --server "$MUSTER_VAR_${env}"`] } })
    const both = await packageWith({
      secrets: [server.dotted_name],
      msi: { properties: { KEY: `%MUSTER_SECRET_${env}%` } },
    })
    await packageWith({ commands: { install: [`setup "$MUSTER_VAR_${env}2"`] }, description: server.dotted_name })

    expect(await usesOf(server)).toEqual(
      [
        `${template.name}: Default print01`,
        `${conditional.name}: Condition`,
        `${secret.name}: Secret`,
        `${command.name}: Command`,
        `${both.name}: Command`,
        `${both.name}: Secret`,
      ].sort(),
    )
  })

  test('use a collection by the number of its entries, and a column by an entry', async () => {
    const queues = await given.variable({ kind: 'Collection' })
    const name = await given.variable({ parent: queues, designation: 'Name' })
    const env = `MUSTER_VAR_${queues.designation.toUpperCase()}`
    const count = await packageWith({ commands: { install: [`seq "$${env}_COUNT"`] } })
    const first = await packageWith({ commands: { install: [`echo "$${env}_1_NAME"`] } })

    expect(await usesOf(queues)).toEqual([`${count.name}: Command`])
    expect(await usesOf(name)).toEqual([`${first.name}: Command`])
  })

  test('are counted in the list of variables, beside the values of groups, computers and configurations', async () => {
    const category = await given.variable({ kind: 'Category' })
    const [used, unused] = [await given.variable({ parent: category }), await given.variable({ parent: category })]
    const [computer, group] = [await given.computer(), await given.group()]
    const value = { variable_id: used.id, value: 'x' }
    await world.db
      .insertInto('computer_variables')
      .values({ computer_id: computer.id, ...value })
      .execute()
    await world.db
      .insertInto('group_variables')
      .values({ group_id: group.id, ...value })
      .execute()
    await packageWith({ secrets: [used.dotted_name], onlyFor: { variables: [{ name: used.dotted_name, values: [] }] } })

    const listed = await reader.call(listFleetVariables, { query: { search: category.designation, kind: 'Scalar' } })

    expect(listed.body.items.map(({ varId, uses }) => [varId, uses])).toEqual(
      [
        [used, { computers: 1, groups: 1, configurations: 0, packages: 1 }] as const,
        [unused, { computers: 0, groups: 0, configurations: 0, packages: 0 }] as const,
      ]
        .toSorted(([a], [b]) => (a.dotted_name < b.dotted_name ? -1 : 1))
        .map(([{ id }, uses]) => [id, uses]),
    )
  })
})
