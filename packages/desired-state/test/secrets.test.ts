import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, expect, test } from 'vitest'
import { resolveSecrets } from '../src/resolve-secrets.ts'
import { connectToService } from '../src/service-client.ts'

const root = await mkdtemp(join(tmpdir(), 'muster-secrets-'))
const folder = join(root, 'state')
await mkdir(folder)
afterAll(() => rm(root, { recursive: true }))

const resolve = (reference: string, environment = {}, secretFolders: string[] = []) =>
  resolveSecrets(
    [reference],
    { groups: [{ variables: [{ secret: reference }] }] },
    { folder, secretFolders, environment },
  )

test('a secret that cannot be found is named before anything is applied', async () => {
  await expect(resolve('env:NOT_SET')).rejects.toThrow('set NOT_SET')
  await expect(resolve('env:constructor')).rejects.toThrow('set constructor')
  await expect(resolve('file:nothing')).rejects.toThrow('file:nothing')
  await expect(resolve('nothing')).rejects.toThrow('is not a reference')
  expect(await resolve('env:A', { A: 'b' })).toEqual({ 'env:A': 'b' })
})

test('a file outside the folder is read only if its folder is allowed', async () => {
  await mkdir(join(root, 'secrets'))
  await writeFile(join(root, 'secrets/token'), 'open sesame\n')

  await expect(resolve('file:../secrets/token')).rejects.toThrow('file:../secrets/token')
  expect(await resolve('file:../secrets/token', {}, [join(root, 'secrets')])).toEqual({
    'file:../secrets/token': 'open sesame',
  })
})

test('a secret that the files do not name is never read, whatever the service asks for', async () => {
  const places = { folder, secretFolders: [], environment: { PATH: '/bin' } }

  await expect(resolveSecrets(['env:PATH'], { groups: [] }, places)).rejects.toThrow('does not name: env:PATH')
})

test('the credential is sent nowhere if no address is named', () => {
  for (const address of [{}, { MUSTER_URL: '' }])
    expect(() => connectToService({ ...address, MUSTER_CLIENT_ID: 'ci', MUSTER_CLIENT_SECRET: 'x' })).toThrow(
      'Set MUSTER_URL',
    )
})

test('the credential is sent to another host only with TLS or --insecure', () => {
  const env = { MUSTER_URL: 'http://muster.example.org', MUSTER_CLIENT_ID: 'ci', MUSTER_CLIENT_SECRET: 'x' }

  expect(() => connectToService(env)).toThrow('is not encrypted')
  expect(() => connectToService(env)).toThrow('--insecure')
  expect(() => connectToService(env, true)).not.toThrow()
})
