import { chmod, readFile, writeFile } from 'node:fs/promises'
import { generateSecretKey } from '@muster/signing'
import { contentPathOf } from '../../server/src/features/packages/content/content-folder.ts'
import type { CleanSystem } from './clean-system.ts'
import type { Muster } from './muster.ts'
import { verify } from './verify.ts'

/** Hides the programs that verify signatures, except one. */
export const keepOnly = (program: 'minisign' | 'openssl' | 'none') =>
  ['minisign', 'openssl']
    .map((name) => (name === program ? `chmod 755 /usr/bin/${name}` : `chmod 000 /usr/bin/${name}`))
    .join(' && ')

export async function createToken({ api }: Muster, groupId?: string): Promise<{ token: string; linux: string }> {
  type Created = { token: string; commands: { linux: string } }
  const body = { description: 'Trial', expiresAtUtc: '2099-01-01T00:00:00.000Z', ...(groupId && { groupId }) }
  const { token, commands } = await api.post<Created>('/api/enrolment-tokens', body)
  return { token, linux: commands.linux }
}

/** Tries all that must prevent an installation. Afterwards, the package is served and the system is as it was. */
export async function tryFailures(muster: Muster, system: CleanSystem, name: string): Promise<void> {
  const unsigned = await createToken(muster)
  await muster.release(name)
  const served = await fetch(`${muster.address}/install/linux.sh`)
  verify('Muster does not serve an agent that no trusted key has signed', {
    'no script': served.status === 404,
    'the command only enrols': unsigned.linux.includes('muster-agent enrol --server'),
  })
  await muster.sign(name)
  const packageId = await muster.release(name)
  const undesignated = await createToken(muster)
  verify('Muster does not serve an agent that no administrator has designated', {
    'the command only enrols': undesignated.linux.includes('muster-agent enrol --server'),
  })
  await muster.designate(packageId)
  const { linux, token } = await createToken(muster)
  const before = await system.listFiles()

  async function refuses(sentence: string, command: string, message: string, code = 1): Promise<void> {
    const outcome = await system.within(command)
    const after = await system.listFiles()
    const left = after.filter((path) => !before.includes(path))
    verify(
      sentence,
      {
        [`code ${code}`]: outcome.code === code,
        [`message ${message}`]: outcome.output.includes(message),
        'nothing left behind': left.length === 0,
      },
      { ...outcome, left },
    )
  }

  const otherKey = generateSecretKey().publicKey.text
  const changed = (change: string) => linux.replace(' && ', ` && script=$(printf %s "$script" | sed '${change}') && `)
  await system.within(keepOnly('none'))
  await refuses('a system that cannot verify signatures is refused', linux, 'Install OpenSSL 3 or minisign')
  for (const program of ['minisign', 'openssl'] as const) {
    await system.within(keepOnly(program))
    await refuses(
      `an agent that another key has signed is refused with ${program}`,
      changed(`s|^keys=.*|keys=${otherKey}|`),
      'none of the trusted keys has signed',
    )
  }
  await refuses(
    'a wrong token is refused',
    linux.replace(token, 'enrol-wrong'),
    'The enrolment token or code is unknown',
  )
  await refuses(
    'a missing server is reported',
    linux.replace(muster.address, 'http://127.0.0.1:1'),
    'Failed to connect',
    7,
  )
  await refuses(
    'a server that is lost before the download is reported',
    changed('s|^origin=.*|origin=http://127.0.0.1:1|'),
    'could not be downloaded',
  )

  const script = await (await fetch(`${muster.address}/install/linux.sh`)).text()
  const sha256 = new RegExp(`sha256_${process.arch}='(\\w+)'`).exec(script)?.[1] ?? ''
  const path = contentPathOf(muster.store, sha256)
  const original = await readFile(path)
  await chmod(path, 0o600)
  await writeFile(path, Buffer.from(original).fill(0, original.length - 1000))
  await refuses('an agent that was changed in the store is refused', linux, 'has another SHA-256')
  await writeFile(path, original)
}
