import { chmod, copyFile, mkdir, open, readFile, writeFile } from 'node:fs/promises'
import type { SampleFolder } from './folder.ts'

export type DebCompression = 'gzip' | 'xz' | 'zstd' | 'none'

/** Makes a package with dpkg-deb. */
export async function makeDeb({ write, path, run }: SampleFolder, compression: DebCompression): Promise<string> {
  const root = `deb-${compression}`
  await mkdir(path(`${root}/DEBIAN`), { recursive: true })
  await write(
    `${root}/DEBIAN/control`,
    `Package: sample-tool
Version: 1:2.3.4-5
Architecture: amd64
Maintainer: Example Corporation <packages@example.org>
Pre-Depends: dpkg (>= 1.17)
Depends: libc6 (>= 2.36), adduser | sysusers
Description: Tool of the tests
 It does nothing.
 .
 Really.
`,
  )
  await write(`${root}/DEBIAN/postinst`, '#!/bin/sh\n')
  await chmod(path(`${root}/DEBIAN/postinst`), 0o755)
  const file = path(`sample-${compression}.deb`)
  await run('dpkg-deb', '--root-owner-group', `-Z${compression}`, '--uniform-compression', '--build', root, file)
  return file
}

/** Makes a package with rpmbuild. */
export async function makeRpm({ write, path, run }: SampleFolder): Promise<string> {
  await write(
    'sample.spec',
    `Name: sample-tool
Version: 2.3.4
Release: 5.el9
Epoch: 1
Summary: Tool of the tests
License: Apache-2.0
Vendor: Example Corporation
BuildArch: noarch
Requires: coreutils >= 8.0, bash
%description
It does nothing.
%post
true
%postun -p /sbin/ldconfig
%triggerin -- bash
echo bash
%files
`,
  )
  await run('rpmbuild', '-bb', '--define', `_topdir ${path('rpm')}`, '--quiet', 'sample.spec')
  return path('rpm/RPMS/noarch/sample-tool-2.3.4-5.el9.noarch.rpm')
}

export type SquashCompression = 'gzip' | 'xz' | 'zstd'

/** Makes an AppImage: a program of this machine, marked as one, with a file system of mksquashfs behind it. */
export async function makeAppImage(folder: SampleFolder, compression: SquashCompression): Promise<string> {
  const { path, run, write } = folder
  const root = `app-${compression}`
  await mkdir(path(`${root}/usr/share/applications`), { recursive: true })
  const entry =
    '[Desktop Entry]\nType=Application\nName=Sample Viewer\nComment=Shows samples\nX-AppImage-Version=4.5.6\n'
  await write(`${root}/usr/share/applications/sample.desktop`, entry)
  await run('ln', '-sf', 'usr/share/applications/sample.desktop', path(`${root}/sample.desktop`))
  await run('mksquashfs', root, `${root}.squashfs`, '-comp', compression, '-noappend', '-quiet', '-no-progress')
  const file = path(`Sample-${compression}.AppImage`)
  await copyFile('/bin/true', file)
  await chmod(file, 0o755)
  const program = await open(file, 'r+')
  await program.write(Buffer.from('AI\x02', 'latin1'), 0, 3, 8)
  await program.close()
  await writeFile(file, await readFile(path(`${root}.squashfs`)), { flag: 'a' })
  return file
}
