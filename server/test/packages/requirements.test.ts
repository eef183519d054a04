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
        "The packages supersede each other: 'successor-2' supersedes 'successor-1' supersedes 'Successor-2'. " +
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

    expect(refused.map(({ status, message }) => ({ status, message }))).toEqual(
      ['opposed-top', 'opposed-own'].map((name) => ({
        status: 'Failed',
        message:
          `The package conflicts with '${base}', and needs it: '${name}' requires '${tool}' requires '${base}'. ` +
          'Remove the conflict or one of these requirements.',
      })),
    )
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
      message: `There is not secret variable '${open.dotted_name}'. Create it, or correct the name in 'secrets'.`,
    })
  })
})
