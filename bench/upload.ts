import { execFile } from 'node:child_process'
import { createHash, randomBytes } from 'node:crypto'
import { createReadStream } from 'node:fs'
import { mkdtemp, open, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { bytesType } from '../server/src/platform/operation.ts'
import { apiOf } from './api.ts'
import { withService } from './service.ts'
import { reportTarget } from './target.ts'

const megabyte = 1_048_576
const fileMegabytes = 512
const rounds = 3
const target = 0.25

/** The rate of an upload by another process, compared to writing and hashing the same file without a network and a service. */
export async function benchUpload(): Promise<void> {
  await withService(
    async ({ address, headers }) => {
      const folder = await mkdtemp(join(tmpdir(), 'muster-bench-upload-'))
      try {
        const file = join(folder, 'file')
        await writeRandom(file)
        const plain: number[] = []
        const uploads: number[] = []
        for (let round = 0; round < rounds; round++) {
          plain.push(await secondsOf(() => writeAndHash(file, join(folder, 'copy'))))
          uploads.push(await secondsOf(() => upload(address, headers, file)))
        }
        report(median(plain), median(uploads))
      } finally {
        await rm(folder, { recursive: true })
      }
    },
    { MUSTER_MIN_FREE_DISK: '0' },
  )
}

async function writeRandom(path: string): Promise<void> {
  const file = await open(path, 'w')
  for (let written = 0; written < fileMegabytes; written++) await file.write(randomBytes(megabyte))
  await file.close()
}

async function writeAndHash(source: string, target: string): Promise<void> {
  const hash = createHash('sha256')
  const copy = await open(target, 'w')
  for await (const chunk of createReadStream(source)) {
    hash.update(chunk as Buffer)
    await copy.write(chunk as Buffer)
  }
  await copy.datasync()
  await copy.close()
  hash.digest()
}

async function upload(address: string, headers: { authorization: string }, file: string): Promise<void> {
  const api = apiOf(address, headers)
  const announced = { fileName: 'file.bin', size: fileMegabytes * megabyte }
  const { id } = await api.post<{ id: string }>('/api/package-uploads', announced)
  const given = [`authorization: ${headers.authorization}`, `content-type: ${bytesType}`, 'upload-offset: 0', 'expect:']
  const url = `${address}/api/package-uploads/${id}`
  await promisify(execFile)('curl', ['-sSf', '-X', 'PATCH', '-T', file, ...given.flatMap((line) => ['-H', line]), url])
  const { state } = await api.get<{ state: string }>(`/api/package-uploads/${id}`)
  if (state !== 'Ready') throw new Error(`The upload is ${state}.`)
  await fetch(url, { method: 'DELETE', headers })
}

async function secondsOf(run: () => Promise<void>): Promise<number> {
  const start = performance.now()
  await run()
  return (performance.now() - start) / 1_000
}

const median = (values: readonly number[]) => values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)] ?? 0

function report(plain: number, uploaded: number): void {
  const rate = (seconds: number) => `${Math.round(fileMegabytes / seconds)} MB/s`
  console.log(`write and hash: ${rate(plain)}; upload: ${rate(uploaded)}`)
  const ratio = plain / uploaded
  reportTarget(`upload: ${ratio.toFixed(2)} of the rate of a plain write with hash, target ${target}`, ratio >= target)
}
