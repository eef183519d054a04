import { describe, expect, test } from 'vitest'
import { manifestOf, openPackageWorld } from './package-world.ts'

const { db, folder, given, imported } = await openPackageWorld()

describe('requirements and secrets of packages', () => {
  test('an import stores the requirements of a package, and overwrite replaces them', async () => {
    const needing = (...requires: string[]) => ({ 'muster-package.json': manifestOf({ name: 'needing', requires }) })
    await folder('needing', needing('runtime', 'fonts'))
    const { packageId } = await imported('needing')
    await folder('needing', needing('runtime'))

    await imported('needing', true)

    // No operation shows the requirements of a package.
    const required = await db
      .selectFrom('package_requirements')
      .select('required_name')
      .where('package_id', '=', packageId ?? '')
      .execute()
    expect(required).toEqual([{ required_name: 'runtime' }])
  })

  test('an import that closes a cycle of requirements is refused', async () => {
    const requiring = (name: string, required: string) => ({
      'muster-package.json': manifestOf({ name, requires: [required] }),
    })
    await folder('circle/first', requiring('circle-1', 'Circle-2'))
    await folder('circle/second', requiring('circle-2', 'circle-3'))
    await folder('circle/third', requiring('circle-3', 'CIRCLE-1'))
    await imported('circle/first')
    await imported('circle/second')

    const { status, message } = await imported('circle/third')

    expect({ status, message }).toEqual({
      status: 'Failed',
      message:
        "The packages require each other: 'circle-3' requires 'circle-1' requires 'circle-2' requires 'circle-3'. " +
        'Remove one of these requirements.',
    })
  })

  test('an import that makes packages supersede each other is refused', async () => {
    const superseding = (name: string, other: string) => ({
      'muster-package.json': manifestOf({ name, supersedes: [{ name: other, uninstallFirst: true }] }),
    })
    await folder('successors/first', superseding('successor-1', 'Successor-2'))
    await folder('successors/second', superseding('successor-2', 'successor-1'))
    await imported('successors/first')

    expect(await imported('successors/second')).toMatchObject({
      status: 'Failed',
      message:
        "The packages supersede each other: 'successor-2' supersedes 'successor-1' supersedes 'successor-2'. " +
        'Remove one of these relations.',
    })
  })

  test('an import is refused if a package requires what it conflicts with, whichever of the two says so', async () => {
    const [base, tool] = ['opposed-base', 'opposed-tool']
    await folder('opposed/base', { 'muster-package.json': manifestOf({ name: base, conflicts: ['Opposed-Top'] }) })
    await folder('opposed/tool', { 'muster-package.json': manifestOf({ name: tool, requires: [base] }) })
    await folder('opposed/top', { 'muster-package.json': manifestOf({ name: 'opposed-top', requires: [tool] }) })
    await folder('opposed/own', {
      'muster-package.json': manifestOf({ name: 'opposed-own', requires: [tool], conflicts: [base] }),
    })
    await imported('opposed/base')
    await imported('opposed/tool')

    const refused = [await imported('opposed/top'), await imported('opposed/own')]

    const of = (name: string) => `No computer could get '${name}': '${name}' requires '${tool}' requires '${base}', and`
    expect(refused.map(({ status, message }) => ({ status, message }))).toEqual([
      {
        status: 'Failed',
        message: `${of('opposed-top')} '${base}' conflicts with 'opposed-top'. Remove one of these relations.`,
      },
      {
        status: 'Failed',
        message: `${of('opposed-own')} 'opposed-own' conflicts with '${base}'. Remove one of these relations.`,
      },
    ])
  })

  test('an import is refused if two packages conflict that it requires, and if it makes that so for another package', async () => {
    const write = (name: string, relations: object) =>
      folder(`pair/${name}`, { 'muster-package.json': manifestOf({ name, ...relations }) })
    await write('pair-a', {})
    await write('pair-b', { conflicts: ['pair-a'] })
    await write('pair-tool', { requires: ['pair-a'] })
    await write('pair-suite', { requires: ['pair-tool', 'pair-b'] })
    const message =
      "No computer could get 'pair-suite': 'pair-suite' requires 'pair-b', 'pair-suite' requires 'pair-tool' requires 'pair-a', " +
      "and 'pair-b' conflicts with 'pair-a'. Remove one of these relations."
    for (const name of ['pair-a', 'pair-b', 'pair-tool'])
      expect(await imported(`pair/${name}`)).toMatchObject({ status: 'Success' })
    expect(await imported('pair/pair-suite')).toMatchObject({ status: 'Failed', message })

    await write('pair-b', {})
    await imported('pair/pair-b', true)
    expect(await imported('pair/pair-suite')).toMatchObject({ status: 'Success' })
    await write('pair-b', { conflicts: ['pair-a'] })
    expect(await imported('pair/pair-b', true)).toMatchObject({ status: 'Failed', message })
  })

  test('an import can name custom fields and variables that exist in conditions, but no secret', async () => {
    const [secret, open] = [await given.variable({ is_secret: true }), await given.variable()]
    const asking = (onlyFor: object) =>
      folder('conditions', { 'muster-package.json': manifestOf({ name: 'with conditions', onlyFor }) })
    const values = ['Berlin']
    const results = []
    for (const onlyFor of [
      { variables: [{ name: open.dotted_name.toUpperCase(), values }], customFields: [{ name: 'custom01', values }] },
      { variables: [{ name: secret.dotted_name, values }] },
      { customFields: [{ name: 'no such field', values }] },
    ]) {
      await asking(onlyFor)
      results.push((await imported('conditions', true)).message)
    }

    expect(results.slice(1)).toEqual([
      `There is no variable '${secret.dotted_name}' that has one value and is not secret. Create it, or correct the name in 'onlyFor.variables'.`,
      "There is no custom field 'no such field'. Create it, or correct the name in 'onlyFor.customFields'.",
    ])
    expect((await imported('conditions', true)).status).toBe('Failed')
    expect(results[0]).not.toContain('There is no')
  })

  test('an import can ask only for variables that exist and are secret', async () => {
    const secret = await given.variable({ is_secret: true })
    const open = await given.variable()
    const asking = (name: string, variable: string) => ({
      'muster-package.json': manifestOf({ name, secrets: [variable] }),
    })
    await folder('secret', asking('asks for a secret', secret.dotted_name.toUpperCase()))
    await folder('no-secret', asking('asks for no secret', open.dotted_name))

    expect((await imported('secret')).status).toBe('Success')
    expect(await imported('no-secret')).toMatchObject({
      status: 'Failed',
      message: `There is no secret variable '${open.dotted_name}'. Create it, or correct the name in 'secrets'.`,
    })
  })
})
