import { expect, test } from 'vitest'
import { getPackage } from '../../src/areas/packages/get-package.ts'
import { manifestOf, openPackageWorld } from './package-world.ts'

const { as, folder, imported } = await openPackageWorld()

test('a folder with a manifest becomes a package', async () => {
  await folder('apps/greeting', {
    'muster-package.json': manifestOf({ revision: '2', displayName: 'Greeting', author: 'Example' }),
    'install.sh': 'echo hello',
  })

  const { status, packageId, progress } = await imported('apps/greeting')

  expect({ status, progress }).toEqual({ status: 'Success', progress: 100 })
  const { body } = await as('package.read').call(getPackage, { params: { id: packageId ?? '' } })
  expect(body).toMatchObject({
    name: 'Greeting',
    packageName: 'greeting',
    version: '1.0',
    revision: '2',
    os: ['Linux'],
    operational: false,
    kind: 'Software',
    hashState: 'Current',
  })
})
