import type { App } from '../../../src/app.ts'
import type { openFusionWorld } from './fusion-world.ts'
import { deviceIdOf, fromComputer, samples } from './fusion-world.ts'

type World = Awaited<ReturnType<typeof openFusionWorld>>

export type Job = {
  uuid: string
  name: string
  checks: object[]
  associatedFiles: string[]
  actions: { cmd?: { exec: string; envs: Record<string, string>; retChecks?: { values: string[] }[] } }[]
}

export type JobList = { jobs: Job[]; associatedFiles: Record<string, { mirrors: string[]; multiparts: string[] }> }

/**
 * An agent with an address of its own that has sent its inventory and reports about its jobs as recorded agents did: with a
 * new connection for each request, so each may reach another node.
 */
export async function workingAgent(
  { app, post, computerOf, enrolmentToken }: World,
  name: string,
  nodes: readonly Pick<App, 'http'>[] = [app],
) {
  const { token: secret, id: tokenId } = await enrolmentToken({ maxUses: 1 })
  await post(fromComputer(samples.fusionInventory, name), { secret })
  const machineid = deviceIdOf(name)
  const { id } = await computerOf(machineid)
  let requests = 0
  const get = (url: string) => {
    const { http } = nodes[requests++ % nodes.length] ?? app
    return http.inject({ url: url.replace(/^https?:\/\/[^/]+/, '') })
  }
  let remote = ''

  /** The address for jobs; undefined when no work is due. */
  async function jobAddress(): Promise<string | undefined> {
    const config = await get(`/agent/fusion/${secret}?action=getConfig&machineid=${machineid}&task[Deploy]=2.8`)
    return config.json<{ schedule: { remote: string }[] }>().schedule[0]?.remote
  }

  /** The list of jobs as bytes. */
  async function rawJobs(): Promise<Buffer> {
    const address = await jobAddress()
    if (address === undefined) return Buffer.from('{}')
    remote = address
    return (await get(`${remote}?action=getJobs&machineid=${machineid}&version=2.8`)).rawPayload
  }

  const jobs = async (): Promise<JobList> => JSON.parse((await rawJobs()).toString())

  async function report(job: Job, values: Record<string, string | number>) {
    const query = new URLSearchParams({ action: 'setStatus', machineid, part: 'job', uuid: job.uuid })
    for (const [name, value] of Object.entries(values)) if (value !== 0) query.set(name, String(value))
    const answer = await get(`${remote}?${query}`)
    if (answer.statusCode !== 200 || answer.body !== '{}') throw new Error(`The answer is ${answer.body}.`)
  }

  return {
    id,
    machineid,
    secret,
    tokenId,
    jobAddress,
    jobs,
    rawJobs,
    async firstJob(): Promise<Job> {
      const [job] = (await jobs()).jobs
      if (!job) throw new Error('The agent got no job.')
      return job
    },
    part: (mirror: string, sha512: string) => get(`${mirror}${sha512[0]}/${sha512.slice(0, 2)}/${sha512}`),
    report,
    begins: (job: Job) => report(job, { currentStep: 'checking', msg: 'starting' }),
    async runs(job: Job, actionnum: number, step: string, lines: string[], code: number) {
      const all = ['='.repeat(32), `Started cmd: ${step}`, '='.repeat(32), ...lines, '-'.repeat(32)]
      for (const line of [...all, `exit status: \`${code}'`])
        await report(job, { currentStep: 'processing', actionnum, msg: `${step}: ${line}` })
    },
    succeeds: (job: Job) => report(job, { status: 'ok', msg: 'job successfully completed' }),
    fails: (job: Job, actionnum: number, msg: string) =>
      report(job, { status: 'ko', currentStep: 'processing', actionnum, msg }),
  }
}
