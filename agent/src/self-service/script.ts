/**
 * Keeps the page current, and searches while the user types. Everything works without it, too. Sections that have not changed are
 * left alone, and the focus and open details survive those that have.
 */
export const script = `
'use strict'
const form = document.getElementById('filter')
const ended = document.getElementById('ended')
const found = document.getElementById('found')
const known = new Map()
// The list follows what is typed, so nothing has to be sent.
document.documentElement.classList.add('searches')
let timer = 0
let sent = 0

function update(text) {
  const fresh = new DOMParser().parseFromString(text, 'text/html')
  for (const section of fresh.querySelectorAll('section[id]')) {
    if (known.get(section.id) === section.outerHTML) continue
    const html = section.outerHTML
    const old = document.getElementById(section.id)
    const focused = old.contains(document.activeElement) ? document.activeElement.id : ''
    const open = [...old.querySelectorAll('details[open]')].map((one) => one.id)
    old.replaceWith(section)
    known.set(section.id, html)
    for (const id of open) document.getElementById(id)?.setAttribute('open', '')
    if (focused) (document.getElementById(focused) ?? document.getElementById('software')).focus()
  }
}

async function refresh(isSearch) {
  const number = ++sent
  try {
    const answer = await fetch('part' + location.search, { cache: 'no-store' })
    if (!answer.ok) throw new Error(answer.statusText)
    const text = await answer.text()
    if (number !== sent) return
    update(text)
    if (isSearch) found.textContent = document.getElementById('software').dataset.found
  } catch {
    ended.hidden = false
    clearInterval(polling)
  }
}

form.addEventListener('input', () => {
  clearTimeout(timer)
  timer = setTimeout(() => {
    const query = new URLSearchParams(new FormData(form))
    history.replaceState(null, '', '?' + query)
    void refresh(true)
  }, 200)
})
const polling = setInterval(() => { if (!document.hidden) void refresh(false) }, 2000)
`
