import { basename } from 'node:path'
import type { BitlockerState } from '../../../protocol.ts'
import { cleanText } from '../../common/texts.ts'
import { deviceFolder, deviceLabels, encryptionOf, isRemovable } from './block-devices.ts'
import { type Mount, mountsOf, oneForEachDevice } from './mounts.ts'
import type { SystemAccess } from './system-access.ts'

const driveType = { removable: 2, fixed: 3, network: 4, optical: 5 } as const

const networkTypes = /^(nfs4?|cifs|smb3|ncpfs|afs|ceph|glusterfs|9p|virtiofs|fuse\.(sshfs|rclone|s3fs|glusterfs))$/
const opticalTypes = /^(iso9660|udf)$/
const imageTypes = /^(squashfs|erofs|cramfs)$/
/** Boot partitions must be readable before anything can be decrypted, and contain no user data. */
const bootPlaces = /^\/(boot|efi)(\/|$)/
const poolTypes = /^(zfs|btrfs|bcachefs)$/

export async function collectDisks(system: SystemAccess) {
  const mounts = mountsOf(await system.text('/proc/self/mountinfo')).filter(isVolume)
  const labels = await deviceLabels(system)
  const items = await Promise.all(
    oneForEachDevice(mounts)
      .toSorted((a, b) => (a.place < b.place ? -1 : 1))
      .map((mount) => disk(system, mount, labels)),
  )
  // Free space changes all the time: only changes of a whole percent are worth reporting.
  const hashed = items.map((item) => ({ ...item, freeSpaceGb: inSteps(item.freeSpaceGb, item.totalSpaceGb) }))
  return { items, hashed }
}

function isVolume({ type, source, place }: Mount): boolean {
  if (imageTypes.test(type) || /^\/(proc|sys|dev|run\/user)\//.test(place)) return false
  return source.startsWith('/dev/') || networkTypes.test(type) || poolTypes.test(type) || place === '/'
}

async function disk(system: SystemAccess, mount: Mount, labels: Map<string, string>) {
  const shared = { volume: cleanText(mount.place) ?? '/', label: null, bitlockerKeyProtectors: null }
  // Asking a lost file server for its free space would block.
  if (networkTypes.test(mount.type))
    return {
      ...{ ...shared, driveTypeCode: driveType.network, totalSpaceGb: null, freeSpaceGb: null },
      bitlockerStatus: 'NotAvailable' as const,
    }
  const space = await system.space(mount.place)
  const folder = await deviceFolder(system, mount)
  const encryption = folder && (await encryptionOf(system, folder))
  return {
    ...shared,
    driveTypeCode: await typeOf(system, mount, folder),
    totalSpaceGb: space ? gigabytes(space.totalBytes) : null,
    freeSpaceGb: space ? gigabytes(space.freeBytes) : null,
    label: cleanText(labels.get(basename(folder ?? ''))),
    bitlockerStatus: statusOf(mount, folder, encryption),
    bitlockerKeyProtectors: cleanText(encryption),
  }
}

function statusOf({ place }: Mount, folder: string | undefined, encryption: string | undefined): BitlockerState {
  if (encryption) return 'Encrypted'
  return folder && !bootPlaces.test(place) ? 'Unencrypted' : 'NotAvailable'
}

async function typeOf(system: SystemAccess, { type }: Mount, folder: string | undefined): Promise<number> {
  if (opticalTypes.test(type)) return driveType.optical
  return folder && (await isRemovable(system, folder)) ? driveType.removable : driveType.fixed
}

function gigabytes(bytes: number): number {
  return Math.round((10 * bytes) / 1024 ** 3) / 10
}

function inSteps(free: number | null, total: number | null): number | null {
  const step = Math.max(0.1, (total ?? 0) / 100)
  return free === null ? null : Math.floor(free / step)
}
