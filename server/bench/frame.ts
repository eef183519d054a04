import { chmod, mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import Fastify from 'fastify'
import { pino } from 'pino'
import { buildApp } from '../src/app.ts'
import { localPrincipals } from '../src/areas/administration/queries.ts'
import { migrate } from '../src/database/migrate.ts'
import { openDatabase } from '../src/database/open.ts'
import { insertLocalPrincipal } from '../src/domain/principals.ts'
import { readConfiguration } from '../src/platform/configuration.ts'
import { compare, load } from './load.ts'

const bar = 0.6
const rounds = 5
const seconds = 4

/** The price of the frame: authentication, roles, validation, serialisation, ETag, metrics and the log line. */
export async function benchFrame(): Promise<void> {
  const dataDirectory = await mkdtemp(join(tmpdir(), 'muster-bench-'))
  await chmod(dataDirectory, 0o711)
  const configuration = readConfiguration({ MUSTER_DATA_DIR: dataDirectory })
  const database = await openDatabase(configuration)
  try {
    await migrate(database.pool)
    const app = await buildApp({ database, configuration, logger: pino(pino.destination('/dev/null')) })
    const id = await insertLocalPrincipal(database.db, app.services.keys, {
      clientId: 'bench',
      secret: 'bench',
      description: 'Reads itself',
      roles: ['admin.manage'],
      expiresAt: null,
    })
    const statement = localPrincipals(database.db).where('principals.id', '=', id).compile()
    const bare = Fastify()
    bare.get('/bare/:id', async (request) => {
      const { id: wanted } = request.params as { id: string }
      const { rows } = await database.pool.query(statement.sql, [Number(wanted)])
      return rows[0]
    })
    const [bareAddress, frameAddress] = [
      await bare.listen({ host: '127.0.0.1', port: 0 }),
      await app.http.listen({ host: '127.0.0.1', port: 0 }),
    ]
    const headers = { authorization: `Bearer ${await app.services.tokens.issue(id)}` }
    const results = await compare(
      {
        bare: () => load(`${bareAddress}/bare/${id}`, {}, seconds),
        frame: () => load(`${frameAddress}/api/admin/local-principals/${id}`, headers, seconds),
      },
      rounds,
    )
    report(results)
    await Promise.all([bare.close(), app.http.close()])
  } finally {
    await database.close()
    await rm(dataDirectory, { recursive: true })
  }
}

function report(results: Awaited<ReturnType<typeof compare>>): void {
  const rate = (name: string) => results[name]?.requestsPerSecond ?? 0
  console.table(results)
  const ratio = rate('frame') / rate('bare')
  console.log(`ratio ${ratio.toFixed(2)}, bar ${bar}: ${ratio >= bar ? 'met' : 'MISSED'}`)
  if (ratio < bar) process.exitCode = 1
}
