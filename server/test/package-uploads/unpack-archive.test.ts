import { execFileSync } from 'node:child_process'
import { mkdir, readdir, truncate, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { PackageFault } from '@muster/package-format'
import { expect, test } from 'vitest'
import { type UnpackLimits, unpackArchive } from '../../src/features/package-uploads/unpack-archive.ts'
import { temporaryFolder } from '../database/embedded-postgres/muster.ts'

const megabyte = 1_048_576

const python = (code: string, archive: string) => execFileSync('python3', ['-c', code, archive], { stdio: 'ignore' })

/** Unpacks an archive that the function makes, with the limits of the test. */
async function unpacked(make: (archive: string, folder: string) => unknown, changes: Partial<UnpackLimits> = {}) {
  const folder = await temporaryFolder()
  const archive = join(folder, 'archive')
  await make(archive, folder)
  const limits = {
    signal: new AbortController().signal,
    maxBytes: 100 * megabyte,
    requireRoom: async () => {},
    ...changes,
  }
  const [unpacking, target] = [join(folder, 'unpacking'), join(folder, 'target')]
  await mkdir(target)
  const fault = await unpackArchive(archive, { unpacked: unpacking, target }, limits).catch((error: unknown) => error)
  return { fault, left: await readdir(folder), files: await readdir(target) }
}

/** Zeros, of which a small archive can have any number. */
async function packZeros(archive: string, folder: string) {
  await writeFile(join(folder, 'zeros'), '')
  await truncate(join(folder, 'zeros'), 200 * megabyte)
  execFileSync('tar', ['-czf', archive, '-C', folder, 'zeros'])
}

test('an archive that contains far more than it seems is refused at the limit, and nothing of it stays', async () => {
  const { fault, left } = await unpacked(packZeros)

  expect(fault).toEqual(new PackageFault('The files of the archive have more than 104857600 bytes together.'))
  expect(left).not.toContain('unpacking')
})

test('the room on the disk is checked while an archive is unpacked', async () => {
  const requireRoom = async () => {
    throw new PackageFault('No room.')
  }

  const { fault } = await unpacked(packZeros, { maxBytes: 1_000 * megabyte, requireRoom })

  expect(fault).toEqual(new PackageFault('No room.'))
})

test.each([
  [
    'two files of the same name',
    'import tarfile,sys\nt=tarfile.open(sys.argv[1],"w")\nfor n in "ab": t.addfile(tarfile.TarInfo("same"))\nt.close()',
  ],
  [
    'a file in place of a folder',
    'import tarfile,sys\nt=tarfile.open(sys.argv[1],"w")\nfor n in ("a","a/b"): t.addfile(tarfile.TarInfo(n))\nt.close()',
  ],
  [
    'a device',
    'import tarfile,sys\nt=tarfile.open(sys.argv[1],"w")\ni=tarfile.TarInfo("d"); i.type=tarfile.CHRTYPE; t.addfile(i)\nt.close()',
  ],
  [
    'a hard link',
    'import tarfile,sys\nt=tarfile.open(sys.argv[1],"w")\ni=tarfile.TarInfo("d"); i.type=tarfile.LNKTYPE; i.linkname="/etc/passwd"; t.addfile(i)\nt.close()',
  ],
  [
    'a zip with an absolute path',
    'import zipfile,sys\nz=zipfile.ZipFile(sys.argv[1],"w")\nz.writestr("/evil","x")\nz.close()',
  ],
  [
    'a link in a zip',
    'import zipfile,sys\nz=zipfile.ZipFile(sys.argv[1],"w")\ni=zipfile.ZipInfo("l"); i.create_system=3; i.external_attr=0o120777<<16\nz.writestr(i,"/etc/passwd")\nz.close()',
  ],
])('an archive with %s is refused', async (_, code) => {
  const { fault, files } = await unpacked((archive) => python(code, archive))

  expect(fault).toBeInstanceOf(PackageFault)
  expect(files).toEqual([])
})

test('what describes a file in an archive is used only if it is small, because it is kept in memory', async () => {
  const described = (length: number) =>
    'import tarfile,sys\nt=tarfile.open(sys.argv[1],"w",format=tarfile.PAX_FORMAT)\n' +
    `i=tarfile.TarInfo("plain"); i.pax_headers={"comment":"x"*${length},"path":"described"}; t.addfile(i)\nt.close()`

  const small = await unpacked((archive) => python(described(1_000), archive))
  const large = await unpacked((archive) => python(described(20_000_000), archive))

  expect([small.files, large.files]).toEqual([['described'], ['plain']])
})
