import { expect, test } from 'vitest'
import { toAntivirus, toFirewall, toScriptPolicy, toSecureBoot } from '../../src/platform/windows/inventory/security.ts'
import { contentsOf } from './collected.ts'
import { laptop } from './recorded-laptop.ts'

test('the security section names the product that is on, and a group policy wins over a setting', async () => {
  const { security } = await contentsOf(laptop)

  expect(security).toEqual({
    antivirus: {
      name: 'Microsoft Defender Antivirus',
      version: '4.18.24010.7',
      isEnabled: true,
      isUpToDate: true,
      definitionsDateUtc: '2026-03-14T09:26:53.000Z',
    },
    firewall: {
      name: 'Windows Firewall',
      isEnabled: false,
      domainProfileEnabled: true,
      privateProfileEnabled: true,
      publicProfileEnabled: false,
    },
    secureBoot: { isSupported: true, isEnabled: true },
    scriptPolicy: { name: 'PowerShell', policy: 'RemoteSigned' },
  })
})

test('another antivirus is reported as the Security Center knows it', () => {
  const product = {
    displayName: 'Contoso Antivirus',
    productState: 0x61010,
    timestamp: 'Fri, 13 Mar 2026 12:00:00 GMT',
  }

  expect(toAntivirus([product], undefined)).toEqual({
    name: 'Contoso Antivirus',
    version: null,
    isEnabled: true,
    isUpToDate: false,
    definitionsDateUtc: '2026-03-13T12:00:00.000Z',
  })
  expect(toAntivirus([], undefined)).toMatchObject({ name: null, isEnabled: null, definitionsDateUtc: null })
})

test('a firewall whose service is disabled is off, and that of another vendor replaces it', () => {
  const profiles = { domain: 1, private: 1, public: 1 }

  expect(toFirewall({ ...profiles, serviceStart: 4, others: [] })).toMatchObject({ isEnabled: false })
  expect(
    toFirewall({ ...profiles, serviceStart: 2, others: [{ displayName: 'Contoso Wall', productState: 0x41010 }] }),
  ).toMatchObject({ name: 'Contoso Wall', isEnabled: true })
  expect(
    toFirewall({ domain: undefined, private: undefined, public: undefined, serviceStart: undefined, others: [] }),
  ).toMatchObject({ isEnabled: null, domainProfileEnabled: null })
})

test('Secure Boot and the script policy have the defaults of Windows', () => {
  expect(toSecureBoot(undefined)).toEqual({ isSupported: false, isEnabled: false })
  expect(toSecureBoot({ UEFISecureBootEnabled: 0 })).toEqual({ isSupported: true, isEnabled: false })
  expect(toScriptPolicy(undefined, undefined, 1)).toBe('Restricted')
  expect(toScriptPolicy(undefined, undefined, 3)).toBe('RemoteSigned')
  expect(toScriptPolicy({ EnableScripts: 1, ExecutionPolicy: 'AllSigned' }, { ExecutionPolicy: 'Bypass' }, 1)).toBe(
    'AllSigned',
  )
  expect(toScriptPolicy({ EnableScripts: 0 }, { ExecutionPolicy: 'Bypass' }, 1)).toBe('Restricted')
})
