import type { SoftwareItem, UserView } from '../user-channel/messages.ts'
import { Html, html } from './html.ts'
import { type Texts, textFor } from './texts.ts'

/** What the page shows, as the user has chosen it. */
export type Filter = { search: string; category: string }

const order = ['Running', 'Pending', 'Failed', 'Offered', 'Installed'] as const

export const formatDate = (texts: Texts, utc: string) =>
  new Intl.DateTimeFormat(texts.locale, { dateStyle: 'medium', timeStyle: 'short' }).format(new Date(utc))

export function renderSoftware(view: UserView, filter: Filter, texts: Texts): Html {
  const shown = view.software.filter((item) => matches(item, filter))
  const lists = order.flatMap((state) => {
    const items = shown.filter((item) => item.state === state)
    return items.length === 0
      ? []
      : html`<h2>${texts.states[state]}</h2>
<ul class="items">${items.map((item) => renderItem(item, texts))}</ul>`
  })
  return html`<section id="software" tabindex="-1" aria-label="${texts.title}" data-found="${texts.found(shown.length)}">
${lists.length > 0 ? lists : html`<p>${texts.nothing}</p>`}
</section>`
}

function matches({ name, description, category }: SoftwareItem, filter: Filter): boolean {
  if (filter.category !== '' && category !== filter.category) return false
  return `${name} ${description} ${category}`.toLowerCase().includes(filter.search.trim().toLowerCase())
}

function renderItem(item: SoftwareItem, texts: Texts): Html {
  const { name, version, description, category } = item
  return html`<li class="item">${renderIcon(item)}<div>
<h3>${name} <span class="dim">${version}</span></h3>
${category !== '' && html`<p class="dim">${category}</p>`}
${description !== '' && html`<p>${description}</p>`}
${renderState(item, texts)}
</div></li>`
}

/** The icon says nothing that the name does not. */
function renderIcon({ packageId, iconSha256, name }: SoftwareItem): Html {
  if (iconSha256) return html`<img class="icon" alt="" src="icon/${encodeURIComponent(packageId)}">`
  return html`<span class="icon" aria-hidden="true">${[...name][0]?.toUpperCase() ?? '?'}</span>`
}

function renderState(item: SoftwareItem, texts: Texts): Html {
  const { state, action, percent, name, sinceUtc, packageId, isTaken } = item
  if (state === 'Running')
    return html`<p class="spread"><span>${textFor(texts.actions, action)}</span>${percent !== null && html`<span aria-hidden="true">${percent} %</span>`}</p>
<progress max="100" ${percent === null ? '' : new Html(`value="${percent}"`)} aria-label="${texts.progressOf(name)}">${percent ?? ''}</progress>`
  if (state === 'Pending') return html`<p>${textFor(texts.planned, action)}</p>${renderWhyNot(item, texts)}`
  if (state === 'Failed')
    return html`<p class="bad">${texts.failedOn(sinceUtc ? formatDate(texts, sinceUtc) : '–')}</p>${renderWhyNot(item, texts)}`
  if (state === 'Installed')
    return html`<p class="dim">${sinceUtc && texts.installedOn(formatDate(texts, sinceUtc))}</p>`
  const until =
    item.offeredUntilUtc && html`<p class="dim">${texts.offeredUntil(formatDate(texts, item.offeredUntilUtc))}</p>`
  if (isTaken) return html`${until}<p><strong>${texts.taken}</strong></p>`
  return html`${until}${item.reasons.length > 0 && renderWhyNot(item, texts)}<form method="post" action="take">
<input type="hidden" name="packageId" value="${packageId}">
<button id="take-${packageId}" aria-label="${texts.installNamed(name)}">${texts.install}</button></form>`
}

function renderWhyNot({ packageId, reasons, state }: SoftwareItem, texts: Texts): Html {
  const sentences = reasons.map(({ reason, untilUtc, packages }) =>
    [
      textFor(texts.reasons, reason) ?? texts.otherReason,
      packages.length > 0 && texts.concerns(packages.join(', ')),
      untilUtc && texts.until(formatDate(texts, untilUtc)),
    ]
      .filter(Boolean)
      .join(' '),
  )
  const none = state === 'Failed' ? texts.whyNotFailed : texts.whyNotNow
  return html`<details id="why-${packageId}"><summary id="why-of-${packageId}">${texts.whyNot}</summary>
${(sentences.length > 0 ? sentences : [none]).map((sentence) => html`<p>${sentence}</p>`)}</details>`
}
