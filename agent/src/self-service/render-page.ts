import type { Warning } from '../state/warnings.ts'
import type { UserView } from '../user-channel/messages.ts'
import { maxReasonLength, maxWishLength } from '../user-channel/messages.ts'
import { type Html, html } from './html.ts'
import { type Filter, formatDate, renderSoftware } from './render-software.ts'
import { type Language, type Texts, textFor, textsOf } from './texts.ts'

export type Page = {
  view: UserView
  filter: Filter
  language: Language
  /** What became of the last form that the user has sent. */
  message: { text: string; isError: boolean } | undefined
}

export function renderPage({ view, filter, language, message }: Page): string {
  const texts = textsOf(language)
  const other = language === 'de' ? 'en' : 'de'
  const query = new URLSearchParams({ ...filter, lang: other }).toString()
  return html`<!doctype html>
<html lang="${language}">
<head><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1">
<title>${texts.title}</title><link rel="stylesheet" href="style.css"><link rel="icon" href="data:,"></head>
<body>
<a class="skip" href="#software">${texts.skip}</a>
<header><div class="top"><span>${texts.signedInAs(view.user)}</span><a href="?${query}" lang="${other}" hreflang="${other}">${texts.otherLanguage}</a></div>
<h1>${texts.title}</h1><p class="dim">${texts.intro}</p>
<p id="ended" class="notice bad" role="alert" hidden>${texts.expired}</p>
${message && html`<p id="message" class="notice${message.isError ? ' bad' : ''}" role="${message.isError ? 'alert' : 'status'}">${message.text}</p>`}
</header>
<main>
${renderNotices(view, texts)}
${renderFilter(view, filter, language, texts)}
<p id="found" class="hidden-text" role="status"></p>
${renderSoftware(view, filter, texts)}
<div class="panels">${renderPostpone(texts)}${renderRequest(texts)}</div>
${renderRequests(view, texts)}${renderHistory(view, texts)}
</main>
<footer class="dim">${texts.updated}</footer>
<script src="script.js" defer></script>
</body></html>`.text
}

/** The sections that change while somebody looks. The script of the page puts each in place of the one with its id. */
export function renderPart({ view, filter, language }: Omit<Page, 'message'>): string {
  const texts = textsOf(language)
  const sections = [renderNotices(view, texts), renderSoftware(view, filter, texts)]
  return html`${[...sections, renderRequests(view, texts), renderHistory(view, texts)]}`.text
}

function renderNotices(view: UserView, texts: Texts): Html {
  const { isCurrent, asOfUtc, isRebootRequired, suspendedUntil, postponedUntilUtc, warnings } = view
  const notices = [
    ...warnings.map((warning) => describeWarning(warning, texts)),
    isRebootRequired && texts.rebootRequired,
    suspendedUntil !== null && texts.suspended,
    postponedUntilUtc !== null && texts.postponedUntil(formatDate(texts, postponedUntilUtc)),
    !isCurrent && (asOfUtc === null ? texts.neverListed : texts.notCurrent(formatDate(texts, asOfUtc))),
  ]
  return html`<section id="notices" role="status">${notices.map((one) => one && html`<p class="notice">${one}</p>`)}</section>`
}

function describeWarning({ kind, package: item, power, deadlineUtc, programs }: Warning, texts: Texts): string {
  const what = item
    ? texts.workOn(textFor(texts.kinds, kind) ?? kind, `${item.name} ${item.version}`)
    : texts.power[power ?? 'Reboot']
  const close = programs.length > 0 ? ` ${texts.closePrograms(programs.join(', '))}` : ''
  return `${texts.deadline(what, formatDate(texts, deadlineUtc))}${close}`
}

function renderFilter(view: UserView, { search, category }: Filter, language: Language, texts: Texts): Html {
  const categories = [...new Set(view.software.map((item) => item.category))].filter((name) => name !== '').sort()
  return html`<form id="filter" class="row" method="get" role="search">
<div class="grows"><label for="search">${texts.search}</label><input id="search" name="search" type="search" class="wide" value="${search}"></div>
<div><label for="category">${texts.category}</label><select id="category" name="category">
<option value="">${texts.allCategories}</option>
${categories.map((name) =>
  name === category
    ? html`<option value="${name}" selected>${name}</option>`
    : html`<option value="${name}">${name}</option>`,
)}</select></div>
<input type="hidden" name="lang" value="${language}"><button>${texts.show}</button></form>`
}

function renderPostpone(texts: Texts): Html {
  return html`<div class="panel"><h2 id="postpone-title">${texts.postponeTitle}</h2><p>${texts.postponeIntro}</p>
<form class="row" method="post" action="postpone" aria-labelledby="postpone-title"><div><label for="by">${texts.postponeBy}</label>
<select id="by" name="by">${Object.entries(texts.postponeTimes).map(([value, label]) => html`<option value="${value}">${label}</option>`)}</select></div>
<button>${texts.postpone}</button></form></div>`
}

function renderRequest(texts: Texts): Html {
  return html`<div class="panel"><h2 id="request-title">${texts.requestTitle}</h2><p>${texts.requestIntro}</p>
<form method="post" action="request" aria-labelledby="request-title"><p><label for="wish">${texts.wish}</label>
<input id="wish" name="wish" class="wide" required maxlength="${maxWishLength}"></p>
<p><label for="reason">${texts.reason}</label><textarea id="reason" name="reason" rows="2" maxlength="${maxReasonLength}"></textarea></p>
<button>${texts.send}</button></form></div>`
}

function renderRequests({ requests }: UserView, texts: Texts): Html {
  const list = html`<ul>${requests.map(
    ({
      wish,
      state,
      answer,
      requestedUtc,
    }) => html`<li><strong>${wish}</strong>: ${textFor(texts.requestStates, state) ?? state}
<span class="dim">(${formatDate(texts, requestedUtc)})</span>${answer !== '' && html`<br>${answer}`}</li>`,
  )}</ul>`
  return html`<section id="requests"><h2>${texts.requests}</h2>${requests.length > 0 ? list : html`<p class="dim">${texts.noRequests}</p>`}</section>`
}

function renderHistory({ history }: UserView, texts: Texts): Html {
  const { columns } = texts
  const table = html`<div class="scroll" tabindex="0" role="group" aria-labelledby="history-title"><table><thead><tr><th scope="col">${columns.when}</th>
<th scope="col">${columns.software}</th><th scope="col">${columns.what}</th><th scope="col">${columns.result}</th></tr></thead><tbody>
${history.map(
  ({ name, version, result, action, atUtc }) => html`<tr><td>${formatDate(texts, atUtc)}</td><td>${name} ${version}</td>
<td>${textFor(texts.kinds, action) ?? ''}</td><td>${textFor(texts.results, result) ?? result}</td></tr>`,
)}</tbody></table></div>`
  return html`<section id="history"><h2 id="history-title">${texts.history}</h2>${history.length > 0 ? table : html`<p class="dim">${texts.noHistory}</p>`}</section>`
}
