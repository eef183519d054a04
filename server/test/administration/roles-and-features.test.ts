import { expect, test } from 'vitest'
import { getAdminFeatures } from '../../src/areas/administration/get-admin-features.ts'
import { listRoles } from '../../src/areas/administration/list-roles.ts'
import { openWorld } from '../world/open-world.ts'

const { as } = await openWorld()

test('there are the fifteen roles of the contract, each described', async () => {
  const { body } = await as('admin.manage').call(listRoles)

  expect(body.map(({ role }) => role)).toEqual([
    'computer.read',
    'computer.write',
    'group.read',
    'group.write',
    'package.read',
    'package.write',
    'activation.execute',
    'reinstall.execute',
    'scan.execute',
    'reboot.execute',
    'pm.read',
    'pm.write',
    'pm.approve',
    'pm.execute',
    'admin.manage',
  ])
  expect(body.every(({ description }) => description.length > 10)).toBe(true)
})

test('without an identity provider, only local administrators can sign in', async () => {
  const { body } = await as('admin.manage').call(getAdminFeatures)

  expect(body).toEqual({ idpEnabled: false, localAdminEnabled: true, oidcLoginProviders: [] })
})
