import Fastify from 'fastify'
import { selectLocalPrincipals } from '../server/src/features/principals/read-principals.ts'
import { compare, load } from './load.ts'
import { withService } from './service.ts'
import { reportTarget } from './target.ts'

const target = 0.6
const rounds = 5
const seconds = 4

/** The cost of the framework: authentication, roles, validation, serialisation, ETag, metrics and the log line. */
export async function benchFrame(): Promise<void> {
  await withService(async ({ address, database, principalId: id, headers }) => {
    const statement = selectLocalPrincipals(database.db).where('principals.id', '=', id).compile()
    // The same connections, too: with more of them, the bare route would not show the cost of the framework.
    const { pool } = database.lanes.reads
    const bare = Fastify()
    bare.get('/bare/:id', async (request) => {
      const { id: principalId } = request.params as { id: string }
      const { rows } = await pool.query(statement.sql, [Number(principalId)])
      return rows[0]
    })
    const bareAddress = await bare.listen({ host: '127.0.0.1', port: 0 })
    const results = await compare(
      {
        bare: () => load(`${bareAddress}/bare/${id}`, {}, seconds),
        muster: () => load(`${address}/api/admin/local-principals/${id}`, headers, seconds),
      },
      rounds,
    )
    report(results)
    await bare.close()
  })
}

function report(results: Awaited<ReturnType<typeof compare>>): void {
  const rate = (name: string) => results[name]?.requestsPerSecond ?? 0
  console.table(results)
  const ratio = rate('muster') / rate('bare')
  reportTarget(`ratio ${ratio.toFixed(2)}, target ${target}`, ratio >= target)
}
