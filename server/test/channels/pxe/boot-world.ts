import { randomBytes } from 'node:crypto'
import { getBootScript } from '../../../src/channels/pxe/get-boot-script.ts'
import { replaceFiles } from '../../depot-server/stored-packages.ts'
import { openDepotWorld } from '../../depots/depot-world.ts'

type Files = Record<string, Buffer | string>

const bootFiles: Files = { vmlinuz: 'the kernel', 'initrd.img': 'the first file system', 'efi/grub.efi': 'the loader' }
const boot = { kernel: 'vmlinuz', initrd: 'initrd.img', arguments: 'quiet', architecture: 'x64' }

export async function openBootWorld() {
  const world = await openDepotWorld()
  const { db, given, store, withToken } = world
  const firmware = withToken(undefined)

  async function storeFiles(pack: { id: string; name: string }, files: Files): Promise<void> {
    const folder = `folder-${randomBytes(4).toString('hex')}`
    await replaceFiles(db, store, { ...pack, folder }, files)
    await db.updateTable('packages').set({ is_operational: true }).where('id', '=', pack.id).execute()
  }

  /** A computer with a boot image and an operating system, with the rows that an activation for PXE creates. */
  async function installation({
    name = `pc-${randomBytes(6).toString('hex')}`,
    manifest = {},
    edition = 'Standard',
    files = bootFiles,
    withOs = true,
  }: {
    name?: string
    manifest?: object
    edition?: string
    files?: Files
    withOs?: boolean
  } = {}) {
    const mac = randomBytes(6).toString('hex')
    const computer = await given.computer({ mac, name })
    const group = await given.group()
    await given.member(group, computer)
    const image = await given.pxeBootImage({ manifest: JSON.stringify({ boot: { ...boot, ...manifest } }) })
    await storeFiles({ id: image.packageId, name: image.name }, files)
    await given.assignment(group, image, 'pxeBootImage')
    const os = await given.osImage({
      editions: [edition, 'Another'],
      manifest: JSON.stringify({ image: { file: 'images\\install.img' } }),
    })
    await storeFiles(os, { 'images/install.img': 'the operating system' })
    const sku = os.skus[0]
    if (withOs && sku) await given.assignment(group, sku, 'osImageSku')
    const work = await activate(computer.id, group.id, {
      package_id: withOs ? os.id : image.packageId,
      boot_image_id: image.id,
      sku_id: withOs ? (sku?.id ?? null) : null,
    })
    return { mac, computer, group, image, os, work, script: () => scriptFor(mac) }
  }

  async function activate(
    computerId: number,
    groupId: string,
    system: { package_id: string; boot_image_id: number; sku_id: number | null },
  ) {
    await db.insertInto('activations').values({ computer_id: computerId, group_id: groupId, pxe: true }).execute()
    const task = await db
      .insertInto('tasks')
      .values({ kind: 'Activation', computer_id: computerId })
      .returning('id')
      .executeTakeFirstOrThrow()
    await db
      .insertInto('deployments')
      .values({ computer_id: computerId, package_id: system.package_id, pending_since: new Date() })
      .execute()
    return db
      .insertInto('work')
      .values({
        computer_id: computerId,
        ...system,
        task_id: task.id,
        kind: 'OperatingSystem',
        commands: 1,
      })
      .returning('id')
      .executeTakeFirstOrThrow()
  }

  async function scriptFor(mac: string): Promise<string> {
    return (await firmware.call(getBootScript, { params: { mac } })).body
  }

  return { ...world, firmware, installation, scriptFor, storeFiles }
}

/** The addresses in a script as paths, which can be requested without a network. */
export function pathsIn(script: string): string[] {
  return [...script.matchAll(/http:\/\/localhost:80(\/[^\s]+)/g)].map(([, path = '']) => path)
}

export const tokenIn = (script: string) => /\/boot\/report\/(\S+)/.exec(script)?.[1] ?? ''
