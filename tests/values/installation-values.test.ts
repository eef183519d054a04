import { expect, test } from 'vitest'
import { getInstallation } from '../../server/src/channels/pxe/get-installation.ts'
import { setComputerVariable } from '../../server/src/features/variables/api/computers/set-computer-variable.ts'
import { openBootWorld, tokenIn } from '../../server/test/channels/pxe/boot-world.ts'
import { storableValues } from './hostile-values.ts'

const { as, firmware, given, installation } = await openBootWorld()

test('the document for an installer contains the values of variables and nothing else', async () => {
  const { computer, script } = await installation()
  const expected: Record<string, string> = {}
  for (const value of storableValues) {
    const variable = await given.variable()
    const params = { id: computer.id, varId: variable.id }
    const { status } = await as('computer.write').call(setComputerVariable, { params, body: { value } })
    expect(status).toBeLessThan(300)
    expected[variable.dotted_name] = value
  }

  const { body } = await firmware.call(getInstallation, { params: { token: tokenIn(await script()) } })

  expect(body.variables).toEqual(expected)
})
