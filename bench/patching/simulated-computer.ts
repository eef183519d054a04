import type { components } from '@muster/agent-protocol'
import type { Random } from '../../server/test/faults/fuzz/random.ts'
import { plainContact } from '../plain-contact.ts'
import { resultOf } from '../work-of-agent.ts'

type Schemas = components['schemas']
type WorkItem = Schemas['WorkItem']

export type Restart = { kind: ComputerKind; at: Date }

/** Sends a request to the agent channel as this computer. */
export type Call = <T>(method: 'POST' | 'PUT', path: string, body: object) => Promise<T>

export type Catalog = readonly { key: string; product: string }[]

/** Of the fixes, these shares fail, and leave a restart behind. */
const failureShare = 0.01
const restartShare = 0.6

export type ComputerKind = 'Desktop' | 'Laptop'

type Parts = { kind: ComputerKind; call: Call; random: Random; catalog: Catalog }

/** A computer as the service sees it: it makes contact, does its work, scans, and restarts at the end of the countdown. */
export class SimulatedComputer {
  readonly kind: ComputerKind
  readonly restarts: Restart[] = []
  private readonly parts: Parts
  private readonly missing: Set<string>
  private readonly contact = { ...plainContact }
  private scannedOn = ''

  constructor(parts: Parts) {
    this.parts = parts
    this.kind = parts.kind
    this.missing = new Set(parts.catalog.map(({ key }) => key))
  }

  get isPatched(): boolean {
    return this.missing.size === 0
  }

  get awaitsRestart(): boolean {
    return this.contact.rebootRequired
  }

  /** A contact with all the work that it brings. The first one of a day follows a scan, as with a daily scan package. */
  async visit(): Promise<void> {
    const today = new Date().toISOString().slice(0, 10)
    if (this.scannedOn !== today) await this.scan(today)
    for (;;) {
      const answer = await this.parts.call<Schemas['AgentContactAnswer']>('POST', 'contact', this.contact)
      if (answer.settings) this.contact.settingsHash = answer.settings.hash
      if (answer.work.length === 0) return
      for (const item of answer.work) await this.work(item)
    }
  }

  private async scan(today: string): Promise<void> {
    this.scannedOn = today
    const patches = this.parts.catalog.map(({ key, product }) => ({
      key,
      product,
      status: this.missing.has(key) ? 'Missing' : 'Installed',
    }))
    await this.parts.call('PUT', 'patch-scan', { scannedUtc: new Date(), patches })
  }

  private async work({ workId, attempt, kind, power }: WorkItem): Promise<void> {
    const { runId } = this.contact
    const started = await this.parts.call<Schemas['StartedWork']>('POST', `work/${workId}/start`, { attempt, runId })
    const hasFailed = kind === 'Install' && this.parts.random.chance(failureShare)
    const result = {
      ...resultOf(attempt),
      ...(hasFailed && { status: 'Failed', exitCode: 1, installationState: null }),
    }
    if (power?.action === 'Reboot') this.restart(power.timeoutMinutes)
    else if (!hasFailed) this.install(started.patches.map(({ key }) => key))
    const { rebootRequired } = this.contact
    await this.parts.call('POST', `work/${workId}/result`, { ...result, rebootRequired })
    if (kind === 'Install') await this.scan(this.scannedOn)
  }

  private install(keys: readonly string[]): void {
    if (keys.length === 0) return
    for (const key of keys) this.missing.delete(key)
    if (this.parts.random.chance(restartShare))
      Object.assign(this.contact, { rebootRequired: true, rebootRequiredSource: 'linux-image' })
  }

  /** At the end of the warning, at which a person who does nothing is restarted. */
  private restart(timeoutMinutes: number): void {
    const at = new Date(Date.now() + timeoutMinutes * 60_000)
    this.restarts.push({ kind: this.kind, at })
    Object.assign(this.contact, {
      rebootRequired: false,
      rebootRequiredSource: null,
      bootTimeUtc: at.toISOString(),
    })
  }
}
