import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import { createServer as createTlsServer, type Server as TlsServer } from 'node:https'
import type { AddressInfo } from 'node:net'
import type {
  ComputerSoftware,
  Contact,
  Enrolment,
  Offer,
  PatchScan,
  Postponement,
  Progress,
  SectionReport,
  Settings,
  UserChoice,
  WorkItem,
  WorkResult,
} from '../src/protocol.ts'
import { type GivenWork, packageOf, sha256, startedOf, upcomingOf, withContent } from './given-work.ts'

type Work = {
  item: WorkItem
  given: GivenWork
  /** Announced: not due yet, and its content may be downloaded. */
  state: 'Announced' | 'Due' | 'Leased' | 'Over' | 'Cancelled'
  isLeaseOver: boolean
}
type CallHeaders = Record<'range' | 'authorization' | 'traceparent', string | undefined>
type Call = { method: string; path: string; body: unknown } & CallHeaders
export type Reported = WorkResult & { workId: number; accepted: boolean }

/** Stands in for an answer: return true to have given one, or wait and return false to let the usual one follow. */
export type Interference = (call: Call, answer: ServerResponse) => Promise<boolean> | boolean

export const credential = 'agent-7.secret-of-the-agent'

/** Plays the part of the server on the loopback, with the little state that the protocol needs. */
export class FakeServer {
  readonly calls: Call[] = []
  readonly contacts: Contact[] = []
  readonly results: Reported[] = []
  readonly progress: (Progress & { workId: number })[] = []
  readonly postponements: (Postponement & { workId: number })[] = []
  readonly osInstallations: unknown[] = []
  readonly patchScans: PatchScan[] = []
  readonly sections: Record<string, SectionReport> = {}
  readonly enrolments: Enrolment[] = []
  settings: Settings | null = null
  offers: Offer[] = []
  /** What users may see. Without it, the server is one that knows neither this list nor choices of users. */
  software: ComputerSoftware | undefined
  readonly icons = new Map<string, Buffer>()
  readonly choices: UserChoice[] = []
  choiceOutcome: 'Recorded' | 'TooMany' = 'Recorded'
  wantedSections: string[] = []
  nextContactSeconds = 3600
  leaseSeconds = 3
  /** The credentials that it accepts. */
  validCredentials = [credential]
  /** What the answers to contacts offer as the next credential. Its first use ends the others. */
  offeredCredential: string | undefined
  /** Whether contacts bring the content of work and carry results, as those of current servers do. */
  exchangesAtContact = false
  beginWithinSeconds = 30
  interfere: Interference = () => false
  readonly #work = new Map<number, Work>()
  readonly #contents = new Map<string, Buffer>()
  readonly #tls: { key: string; cert: string } | undefined
  #server: Server | TlsServer = createServer()
  #port = 0
  #lastWork = 0

  constructor(tls?: { key: string; cert: string }) {
    this.#tls = tls
  }

  get url(): string {
    return `${this.#tls ? 'https' : 'http'}://127.0.0.1:${this.#port}`
  }

  async open(): Promise<this> {
    const answer = (request: IncomingMessage, answer: ServerResponse) => void this.#answer(request, answer)
    this.#server = this.#tls ? createTlsServer(this.#tls, answer) : createServer(answer)
    await new Promise<void>((resolve) => this.#server.listen(this.#port, '127.0.0.1', resolve))
    this.#port = (this.#server.address() as AddressInfo).port
    return this
  }

  async close(): Promise<void> {
    this.#server.closeAllConnections()
    await new Promise((resolve) => this.#server.close(resolve))
  }

  /** Work that the next contact hands out. */
  give(given: GivenWork = {}): number {
    const workId = ++this.#lastWork
    for (const content of Object.values(given.files ?? {})) this.#contents.set(sha256(content), Buffer.from(content))
    const kind = given.kind ?? 'Install'
    const item: WorkItem = {
      workId,
      attempt: 0,
      kind,
      leaseSeconds: this.leaseSeconds,
      package: kind === 'Power' || kind === 'Refresh' ? null : packageOf(given),
      postponable: given.postponable ?? { remaining: 0, untilUtc: null },
      hidden: false,
      forced: false,
      power: given.power ?? null,
      ...(given.userDeadline && { userDeadline: given.userDeadline }),
      ...(given.traceparent !== undefined && { traceparent: given.traceparent }),
    }
    this.#work.set(workId, { item, given, state: 'Due', isLeaseOver: false })
    return workId
  }

  /** Work that is announced, until it is due. */
  announce(given: GivenWork): number {
    const workId = this.give(given)
    this.#found(workId).state = 'Announced'
    return workId
  }

  makeDue(workId: number): void {
    this.#found(workId).state = 'Due'
  }

  cancel(workId: number): void {
    this.#found(workId).state = 'Cancelled'
  }

  /** The next contact gets the work again; until then, a result of the attempt before counts. */
  endLease(workId: number): void {
    this.#found(workId).isLeaseOver = true
  }

  resultOf(workId: number): Reported | undefined {
    return this.results.find((result) => result.workId === workId && result.accepted)
  }

  #found(workId: number): Work {
    const work = this.#work.get(workId)
    if (!work) throw new Error(`There is no work ${workId}.`)
    return work
  }

  async #answer(request: IncomingMessage, answer: ServerResponse): Promise<unknown> {
    const chunks: Buffer[] = []
    for await (const chunk of request) chunks.push(chunk as Buffer)
    const text = Buffer.concat(chunks).toString()
    const path = request.url ?? ''
    const call = {
      method: request.method ?? '',
      path,
      body: text ? JSON.parse(text) : undefined,
      range: request.headers.range,
      authorization: request.headers.authorization,
      traceparent: request.headers.traceparent as string | undefined,
    }
    this.calls.push(call)
    if (await this.interfere(call, answer)) return
    const isPublic = path === '/agent/v1/enrolment' || path.startsWith('/files/')
    if (!isPublic && !this.#accepts(request.headers.authorization ?? ''))
      return send(answer, 401, { code: 'Unauthorized', message: 'No.' })
    const [, , , topic, id, action, detail] = path.split('/')
    if (path.startsWith('/files/')) return this.#sendContent(answer, path.slice('/files/'.length), call.range)
    if (topic === 'enrolment') return this.#enrol(answer, call.body as Enrolment)
    if (topic === 'contact') return this.#contact(answer, call.body as Contact)
    if (topic === 'inventory') return this.#inventory(answer, id, call.body)
    if (topic === 'patch-scan') {
      this.patchScans.push(call.body as PatchScan)
      return answer.writeHead(204).end()
    }
    if (topic === 'os-installation') {
      this.osInstallations.push(call.body)
      return answer.writeHead(204).end()
    }
    if (topic === 'software' && this.software) return this.#software(answer, id)
    if (topic === 'user-choices' && this.software) return this.#choices(answer, call.body as { choices: UserChoice[] })
    const work = this.#work.get(Number(id))
    if (topic !== 'work' || !work) return send(answer, 404, { code: 'WorkNotFound', message: 'There is no such work.' })
    if (action === 'files' && detail) return this.#sendContent(answer, detail, call.range)
    return this.#onWork(answer, work, action, call.body)
  }

  #software(answer: ServerResponse, packageId: string | undefined) {
    if (packageId === undefined) return send(answer, 200, this.software ?? {})
    const icon = this.icons.get(packageId)
    if (!icon) return send(answer, 404, { code: 'IconNotFound', message: 'No.' })
    return answer.writeHead(200).end(icon)
  }

  #choices(answer: ServerResponse, { choices }: { choices: UserChoice[] }): void {
    this.choices.push(...choices)
    send(answer, 200, { choices: choices.map(({ choiceId }) => ({ choiceId, outcome: this.choiceOutcome })) })
  }

  #accepts(authorization: string): boolean {
    const presented = authorization.replace(/^Bearer /, '')
    if (presented === this.offeredCredential) {
      this.validCredentials = [presented]
      this.offeredCredential = undefined
    }
    return this.validCredentials.includes(presented)
  }

  #enrol(answer: ServerResponse, enrolment: Enrolment) {
    this.enrolments.push(enrolment)
    if (enrolment.token === 'wrong') return send(answer, 401, { code: 'EnrolmentTokenInvalid', message: 'No.' })
    if (enrolment.token === 'taken') return send(answer, 409, { code: 'AlreadyEnrolled', message: 'No.' })
    send(answer, 200, { clientId: 7, credential, quarantined: enrolment.token === 'doubted' })
  }

  #contact(answer: ServerResponse, contact: Contact): void {
    this.contacts.push(contact)
    const results = contact.results?.map(({ workId, ...result }) => {
      const isAccepted = this.#record(this.#found(workId), result)
      return { workId, outcome: isAccepted ? 'Accepted' : 'Ignored' }
    })
    const isGone = ({ workId, attempt }: { workId: number; attempt: number }) =>
      !this.#isLeased(this.#found(workId), attempt)
    const isDue = ({ state, isLeaseOver }: Work) => state === 'Due' || (state === 'Leased' && isLeaseOver)
    const due = contact.suspension ? [] : [...this.#work.values()].filter(isDue)
    for (const work of due) {
      work.state = 'Leased'
      work.isLeaseOver = false
      work.item.attempt += 1
    }
    send(answer, 200, {
      serverTimeUtc: new Date().toISOString(),
      nextContactSeconds: this.nextContactSeconds,
      settings: this.settings?.hash === contact.settingsHash ? null : this.settings,
      sections: this.wantedSections,
      work: due.map((work) => (this.exchangesAtContact ? withContent(work.item, work.given) : work.item)),
      ...(this.exchangesAtContact && {
        environment: { depots: [], depotsAfterServer: [], variables: {}, collections: {} },
        beginWithinSeconds: this.beginWithinSeconds,
        ...(results && { results }),
        ...(contact.inProgress && { withdrawn: contact.inProgress.filter(isGone).map(({ workId }) => workId) }),
      }),
      ...upcomingOf(
        [...this.#work.values()].filter(({ state }) => state === 'Announced'),
        contact,
      ),
      offers: this.offers,
      ...(this.offeredCredential && contact.canRotateCredential && { credential: this.offeredCredential }),
    })
  }

  #inventory(answer: ServerResponse, section: string | undefined, body: unknown): void {
    Object.assign(this.sections, section ? { [section]: body } : (body as { sections: object }).sections)
    answer.writeHead(204).end()
  }

  #isLeased({ state, item }: Work, attempt: number): boolean {
    return state === 'Leased' && attempt === item.attempt
  }

  /** Returns whether the result is accepted. */
  #record(work: Work, result: WorkResult): boolean {
    const accepted = this.#isLeased(work, result.attempt)
    if (accepted) work.state = 'Over'
    this.results.push({ ...result, workId: work.item.workId, accepted })
    return accepted
  }

  #onWork(answer: ServerResponse, work: Work, action: string | undefined, body: unknown) {
    const { attempt } = body as { attempt: number }
    if (action === 'result') return send(answer, 200, { accepted: this.#record(work, body as WorkResult) })
    const isLeased = this.#isLeased(work, attempt)
    if (action === 'progress') {
      this.progress.push({ ...(body as Progress), workId: work.item.workId })
      if (work.state === 'Cancelled') return send(answer, 200, { leaseSeconds: 0, cancelled: true })
    }
    if (action === 'postponement' && isLeased) {
      this.postponements.push({ ...(body as Postponement), workId: work.item.workId })
      work.state = 'Over'
      return send(answer, 200, { remaining: work.item.postponable.remaining - 1 })
    }
    if (!isLeased) return send(answer, 409, { code: 'WorkNotHeld', message: 'It is not yours.' })
    if (action === 'progress') return send(answer, 200, { leaseSeconds: this.leaseSeconds, cancelled: false })
    send(answer, 200, { leaseSeconds: this.leaseSeconds, ...startedOf(work.given) })
  }

  #sendContent(answer: ServerResponse, hash: string, range: string | undefined) {
    const content = this.#contents.get(hash)
    if (!content) return send(answer, 404, { code: 'FileNotHanded', message: 'No.' })
    const from = Number(/^bytes=(\d+)-$/.exec(range ?? '')?.[1] ?? 0)
    const headers: Record<string, string> = { etag: `"${hash}"`, 'content-length': String(content.length - from) }
    if (from > 0) headers['content-range'] = `bytes ${from}-${content.length - 1}/${content.length}`
    answer.writeHead(from > 0 ? 206 : 200, headers).end(content.subarray(from))
  }
}

function send(answer: ServerResponse, status: number, body: object): void {
  answer.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body))
}
