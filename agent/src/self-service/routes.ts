import { parseUntil } from '../commands/parse-until.ts'
import type { AgentConnection } from '../user-channel/connect.ts'
import { RefusedByAgent } from '../user-channel/connect.ts'
import type { UserView } from '../user-channel/messages.ts'
import { type Page, renderPage, renderPart } from './render-page.ts'
import { formatDate } from './render-software.ts'
import { script } from './script.ts'
import { style } from './style.ts'
import { chooseLanguage, type Texts, textFor, textsOf } from './texts.ts'

export type Answer = { status: number; headers?: Record<string, string>; body: string | Buffer }
export type Form = URLSearchParams

export type PageParts = {
  agent(): Promise<AgentConnection>
  /** Shown once, on the page that follows a form. */
  message: Page['message']
}

type Wanted = { chosen: string | null; accepted: string | undefined }

const notFound: Answer = { status: 404, body: '' }
const of = (type: string, body: string | Buffer): Answer => ({ status: 200, headers: { 'content-type': type }, body })
const htmlType = 'text/html; charset=utf-8'

/** What the server of the page answers to the browser of its user. */
export const routes = {
  async get(parts: PageParts, name: string, url: URL, accepted: string | undefined): Promise<Answer> {
    if (name === 'style.css') return of('text/css; charset=utf-8', style)
    if (name === 'script.js') return of('text/javascript; charset=utf-8', script)
    const [, packageId] = /^icon\/([^/]+)$/.exec(name) ?? []
    if (packageId) return readIcon(parts, decodeURIComponent(packageId))
    if (name !== '' && name !== 'part') return notFound
    return readPage(parts, name === 'part', url, accepted)
  },

  /** Returns an answer if the page has no such form. Otherwise, the next message says what became of it. */
  async post(parts: PageParts, name: string, form: Form, wanted: Wanted): Promise<Answer | undefined> {
    if (!Object.hasOwn(forms, name)) return notFound
    const texts = textsOf(chooseLanguage(wanted.chosen, wanted.accepted))
    try {
      parts.message = await forms[name as keyof typeof forms](await parts.agent(), form, texts)
    } catch (error) {
      parts.message = { text: explain(error, texts), isError: true }
    }
    return undefined
  },
}

const forms = {
  async take(agent: AgentConnection, form: Form, texts: Texts) {
    const { name } = await agent.ask({ verb: 'take', packageId: form.get('packageId') ?? '' })
    return { text: texts.takenMessage(name), isError: false }
  },
  async postpone(agent: AgentConnection, form: Form, texts: Texts) {
    const by = form.get('by') ?? ''
    const untilUtc = parseUntil(Object.hasOwn(texts.postponeTimes, by) ? by : '1h')
    const answer = await agent.ask({ verb: 'postpone', untilUtc })
    return { text: texts.postponed(formatDate(texts, answer.untilUtc), answer.affected), isError: false }
  },
  async request(agent: AgentConnection, form: Form, texts: Texts) {
    const [wish, reason] = [form.get('wish') ?? '', form.get('reason') ?? '']
    const { outcome } = await agent.ask({ verb: 'request', wish, reason })
    return { text: texts.requestOutcomes[outcome], isError: outcome === 'TooMany' }
  },
}

async function readPage(
  parts: PageParts,
  isPart: boolean,
  { searchParams }: URL,
  accepted: string | undefined,
): Promise<Answer> {
  const language = chooseLanguage(searchParams.get('lang'), accepted)
  const filter = { search: searchParams.get('search') ?? '', category: searchParams.get('category') ?? '' }
  const { view, message: failure } = await readView(parts, textsOf(language))
  if (isPart) return of(htmlType, renderPart({ view, filter, language }))
  // What became of a form matters more than that the list could not be read, and is not lost.
  const message = parts.message ?? failure
  parts.message = undefined
  return of(htmlType, renderPage({ view, filter, language, message }))
}

const nothing: UserView = {
  ...{ agentVersion: '', user: '', asOfUtc: null, isCurrent: false, lastContactUtc: null, suspendedUntil: null },
  ...{ postponedUntilUtc: null, isRebootRequired: false, current: null, warnings: [] },
  ...{ software: [], history: [], requests: [] },
}

/** The page stays usable while the agent restarts, for example to update itself. */
async function readView(parts: PageParts, texts: Texts): Promise<{ view: UserView; message?: Page['message'] }> {
  try {
    const agent = await parts.agent()
    return { view: await agent.ask({ verb: 'view' }) }
  } catch (error) {
    return { view: nothing, message: { text: explain(error, texts), isError: true } }
  }
}

async function readIcon(parts: PageParts, packageId: string): Promise<Answer> {
  try {
    const agent = await parts.agent()
    const { content } = await agent.ask({ verb: 'icon', packageId })
    return of('image/png', Buffer.from(content, 'base64'))
  } catch {
    return notFound
  }
}

function explain(error: unknown, texts: Texts): string {
  const code = error instanceof RefusedByAgent ? error.code : 'Unreachable'
  return textFor(texts.errors, code) ?? texts.failed
}
