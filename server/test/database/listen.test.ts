import { expect, onTestFinished, test, vi } from 'vitest'
import { listenTo } from '../../src/database/listen.ts'
import { copyOfTemplate } from '../world/test-database.ts'

const { pool } = await copyOfTemplate()
const logger = { warn: () => {}, error: () => {} }
const listeners = 'select pid from pg_stat_activity where datname = current_database() and query ~ $1'

async function startListening() {
  const handled = vi.fn(async () => {})
  const listener = listenTo(pool, 'news', handled, logger)
  onTestFinished(() => listener.close())
  await vi.waitFor(() => expect(handled).toHaveBeenCalledTimes(1))
  handled.mockClear()
  return handled
}

test('the handler runs once after the connection and then after each notification', async () => {
  const handled = await startListening()

  await pool.query('notify news')

  await vi.waitFor(() => expect(handled).toHaveBeenCalledTimes(1))
})

test('a broken connection is reopened, and the handler runs in case a notification was missed', async () => {
  const handled = await startListening()

  await pool.query(listeners.replace('pid', 'pg_terminate_backend(pid)'), ['^listen "news"$'])
  await vi.waitFor(() => expect(handled).toHaveBeenCalledTimes(1), { timeout: 5_000 })
  await pool.query('notify news')

  await vi.waitFor(() => expect(handled).toHaveBeenCalledTimes(2), { timeout: 5_000 })
})
