import { administrator, startServiceProcess } from '../../world/service-process.ts'
import { freePort } from './free-port.ts'
import { inBrowser, openBrowser } from './open-browser.ts'

const port = await freePort()
const { newContext, openTab } = openBrowser(`http://127.0.0.1:${port}`)

inBrowser('the first administrator can sign in to the real service, and stays signed in after a crash', async () => {
  const env = { MUSTER_PORT: String(port) }
  const service = await startServiceProcess({ env })
  const { page, goTo } = await openTab(await newContext({}))
  await goTo('/admin/about')
  await page.getByLabel('Client ID').fill(administrator.clientId)
  await page.getByLabel('Client secret', { exact: true }).fill(administrator.clientSecret)
  await page.getByRole('button', { name: 'Sign in' }).click()
  await page.getByText('The service and its database work as they should.').waitFor()

  await service.kill('SIGKILL')
  await page.getByRole('link', { name: 'Roles' }).click()
  await page.getByText('The service cannot be reached.').waitFor()
  await startServiceProcess({ env, dataDirectory: service.dataDirectory })
  await page.getByRole('button', { name: 'Try again' }).click()

  await page.getByRole('button', { name: /^admin\.manage/ }).waitFor()
})
