import { describe, expect, test } from 'vitest'
import { findReasonAgainstWine } from '../../../agent/test/windows/wine.ts'
import { openWindowsWorld, untilSlowly } from './windows-world.ts'

const reason = findReasonAgainstWine()
if (reason) console.warn(`The agent for Windows is not tested: ${reason}.`)

describe.skipIf(reason)('the agent for Windows', { timeout: 120_000 }, async () => {
  const world = reason ? undefined : await openWindowsWorld()
  if (!world) return
  const { wine, installer, server, authority, get, post, log, stored } = world

  test('the MSI installs a service that enrols the computer over HTTPS and contacts the server', async () => {
    const { token } = await post<{ token: string }>('/api/enrolment-tokens', { expiresAtUtc: '2099-01-01T00:00:00.000Z' })

    const properties = [`SERVER=${server}`, `TOKEN=${token}`, `CA=${authority}`]
    const { code } = await wine.run(['msiexec', '/i', installer, ...properties, '/qn'])

    expect(code).toBe(0)
    const [computer] = await untilSlowly(async () => {
      const { items } = await get<{ items: { id: number; name: string }[] }>('/api/computer')
      return items.length > 0 ? items : undefined
    })
    console.log(computer, await log())
    expect(await stored()).not.toContain(token)
  })
})
