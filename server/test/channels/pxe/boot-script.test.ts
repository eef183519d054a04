// biome-ignore-all lint/suspicious/noTemplateCurlyInString: these are iPXE settings.
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, expect, onTestFinished, test } from 'vitest'
import { buildApp } from '../../../src/app.ts'
import { diskScript } from '../../../src/channels/pxe/boot-script.ts'
import { setFreeze } from '../../../src/features/blast-radius/api/set-freeze.ts'
import type { Configuration } from '../../../src/platform/configuration.ts'
import { listen } from '../../../src/platform/http/listeners.ts'
import { openBootWorld, tokenIn } from './boot-world.ts'

const { app, as, database, db, firmware, given, installation, scriptFor } = await openBootWorld()

test('the script boots the image with everything that the installer needs', async () => {
  const { script, computer } = await installation({ name: 'pc-01' })

  const text = await script()

  const example = text
    .replaceAll(tokenIn(text), '…')
    .replaceAll('localhost:80', 'muster.example.org')
    .replace(`muster.client=${computer.id}`, 'muster.client=17')
  const guide = await readFile(join(import.meta.dirname, '../../../../docs/guides/pxe.md'), 'utf8')
  expect(guide).toContain(example)
})

describe('the addresses in a script', () => {
  const scriptWith = async (configuration: Partial<Configuration>, headers: Record<string, string>) => {
    const { http } = await buildApp({ database, configuration: { ...app.services.configuration, ...configuration } })
    onTestFinished(() => http.close())
    const { mac } = await installation()
    return (await http.inject({ url: `/boot/ipxe/${mac}`, headers })).body
  }

  test('are the public ones, whatever the request says', async () => {
    const script = await scriptWith(
      { publicUrl: 'https://muster.example.org' },
      { host: 'evil.example.org', 'x-forwarded-host': 'evil.example.org' },
    )

    expect(script).toContain('muster.server=https://muster.example.org ')
    expect(script.match(/https?:\/\/[^/\s]+/g)?.filter((address) => address !== 'https://muster.example.org')).toEqual(
      [],
    )
  })

  test('are in the clear from the listener that serves only network boot, under the configured name', async () => {
    const configuration = {
      ...app.services.configuration,
      port: 0,
      boot: { host: '127.0.0.1', port: 0 },
      publicUrl: 'https://muster.example.org',
      bootUrl: 'http://muster.example.org:5058',
    }
    const { http } = await buildApp({ database, configuration })
    const listeners = await listen(http, configuration)
    onTestFinished(() => listeners.close())
    const { mac } = await installation()

    const [plain, boot] = await Promise.all(
      listeners.addresses.map(async (address) => (await fetch(`${new URL(address).origin}/boot/ipxe/${mac}`)).text()),
    )

    expect(plain).toContain('muster.server=https://muster.example.org ')
    expect(boot).toContain('muster.server=http://muster.example.org:5058 ')
    const document = /muster\.installation=\S+?(\/boot\/\S+)/.exec(boot ?? '')?.[1]
    const { operatingSystem } = (await (
      await fetch(`${new URL(listeners.addresses[1] ?? '').origin}${document}`)
    ).json()) as {
      operatingSystem: { url: string }
    }
    expect(operatingSystem.url).toMatch(/^http:\/\/muster\.example\.org:5058\/boot\/files\//)
  })

  test('are not handed out in the clear through a proxy that is not listed', async () => {
    expect(await scriptWith({}, { 'x-forwarded-proto': 'https' })).toBe(diskScript)
    expect(await scriptWith({ trustedProxies: ['127.0.0.1'] }, { 'x-forwarded-proto': 'https' })).toContain(
      'muster.server=https://localhost:80 ',
    )
  })
})

test('a loader starts last, after the other files were loaded under their names', async () => {
  const { script } = await installation({ manifest: { loader: 'efi/grub.efi' } })

  const text = await script()

  expect(text.split('\n').map((line) => line.replace(/http\S+\/boot\//, '').split(' muster.')[0])).toEqual([
    '#!ipxe',
    'initrd --name vmlinuz vmlinuz || goto disk',
    'initrd --name initrd.img initrd.img || goto disk',
    'chain efi/grub.efi quiet',
    ':disk',
    ...diskScript.split('\n').slice(1),
  ])
})

test('a boot image is enough, even without an initrd', async () => {
  const { script } = await installation({ withOs: false, manifest: { initrd: undefined } })

  const text = await script()

  expect(text).toMatch(/^kernel \S+\/vmlinuz quiet muster.server=/m)
  expect(text).not.toMatch(/initrd|muster.image|muster.sku/)
})

test.each([
  ['colons', (mac: string) => mac.replace(/..(?=.)/g, '$&:')],
  ['hyphens and capitals', (mac: string) => mac.toUpperCase().replace(/..(?=.)/g, '$&-')],
  ['dots', (mac: string) => mac.replace(/....(?=.)/g, '$&.')],
  ['no separators', (mac: string) => mac],
  ['the network type before it', (mac: string) => `01-${mac.replace(/..(?=.)/g, '$&-')}`],
])('the MAC address may be written with %s', async (_, format) => {
  const { mac } = await installation()

  expect(await scriptFor(format(mac))).toMatch(/^kernel /m)
})

describe('booting from disk', () => {
  test('a BIOS starts the disk by its number, and UEFI firmware gets an error, which makes it go on to the disk', () => {
    expect(diskScript).toBe('#!ipxe\niseq ${platform} efi || sanboot --no-describe --drive 0x80 ||\nexit 1\n')
  })

  test.each(['02:00:00:00:00:99', 'x', '%', "'; drop table computers", '02'.repeat(100)])(
    'an unknown address boots from its disk: %s',
    async (mac) => {
      expect(await scriptFor(mac)).toBe(diskScript)
    },
  )

  test('a computer that is not activated boots from its disk', async () => {
    const { computer, script } = await installation()

    await db.deleteFrom('activations').where('computer_id', '=', computer.id).execute()

    expect(await script()).toBe(diskScript)
  })

  test('no computer boots from the network while the installation is frozen', async () => {
    const { script } = await installation()
    const freeze = (frozen: boolean) =>
      as('admin.manage').call(setFreeze, { body: { frozen, reason: frozen ? 'Wrong image' : null } })

    await freeze(true)
    const frozen = await script()
    await freeze(false)

    expect(frozen).toBe(diskScript)
    expect(await script()).not.toBe(diskScript)
  })

  test('a computer without a boot image boots from its disk', async () => {
    const mac = '020000000abc'
    const computer = await given.computer({ mac })
    await db.insertInto('activations').values({ computer_id: computer.id, pxe: true }).execute()

    expect(await scriptFor(mac)).toBe(diskScript)
  })

  test.each([
    ['image', { is_operational: false }],
    ['image', { hash_state: 'Mismatch' }],
    ['os', { is_operational: false }],
    ['os', { hash_state: 'Mismatch' }],
  ] as const)('a computer boots from its disk when its %s may not be distributed: %j', async (part, columns) => {
    const { image, os, script } = await installation()
    const id = part === 'image' ? image.packageId : os.id

    await db.updateTable('packages').set(columns).where('id', '=', id).execute()

    expect(await script()).toBe(diskScript)
  })

  test('a request with an invalid host header gets the script for booting from disk', async () => {
    const { mac } = await installation()

    const answer = await firmware.send({
      method: 'GET',
      url: `/boot/ipxe/${mac}`,
      headers: { host: 'a b ${net0/mac} || shell' },
    })

    expect(answer).toMatchObject({ status: 200, raw: diskScript })
  })
})

test('names and arguments cannot add lines, commands or settings to the script', async () => {
  const { script } = await installation({
    name: 'pc\nshell || ${x}',
    edition: 'Pro\r\nimgfree ${y} # ü',
    manifest: {
      kernel: 'a b/vm ${z}\nshell',
      arguments: 'quiet\nshell || poweroff && ; #end BOOTIF=01-${net0/mac:hexhyp} \u0007 naïve a||b',
    },
  })

  const text = await script()

  const commands = text.split('\n').map((line) => line.split(' ')[0])
  expect(commands).toEqual(['#!ipxe', 'kernel', 'initrd', 'boot', ':disk', 'iseq', 'exit', ''])
  expect(text.match(/\$\{[^}]*\}/g)).toEqual(['${net0/mac:hexhyp}', '${platform}'])
  const [, kernel = ''] = text.split('\n')
  expect(kernel.split(' ').filter((word) => /^(\|\||&&|;|#.*)$/.test(word))).toEqual(['||'])
  expect(kernel).toContain('/a%20b/vm%20%24%7Bz%7D%0Ashell initrd=')
  expect(kernel).toContain(' quiet shell poweroff BOOTIF=01-${net0/mac:hexhyp} a||b muster.server=')
  expect(kernel).toContain(' muster.name=pc%0Ashell%20%7C%7C%20%24%7Bx%7D ')
  expect(kernel).toContain(' muster.edition=Pro%0D%0Aimgfree%20%24%7By%7D%20%23%20%C3%BC ')
})

test('scripts are plain text without caching and leave no entries in the audit trail', async () => {
  const { mac } = await installation()
  const count = () => db.selectFrom('audit_entries').select('id').execute()
  const before = await count()

  const { headers } = await firmware.send({ method: 'GET', url: `/boot/ipxe/${mac}` })

  expect(headers).toMatchObject({ 'content-type': 'text/plain; charset=utf-8', 'cache-control': 'no-store' })
  expect(await count()).toHaveLength(before.length)
})
