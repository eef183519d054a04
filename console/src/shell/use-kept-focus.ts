import { useEffect } from 'react'

/** Within this time, a dialog that closes returns the focus itself. */
const returnMilliseconds = 50

/**
 * Without it, the keyboard would begin at the top of the window when what has the focus disappears, such as the row of a request
 * that was approved. The focus moves to the dialog around it, or to the heading of the page.
 */
export function useKeptFocus(): void {
  useEffect(() => {
    let last: Element | null = null
    let dialog: HTMLElement | null = null
    let timer: ReturnType<typeof setTimeout> | undefined
    const follow = ({ target }: FocusEvent) => {
      last = target as Element
      dialog = last.closest('[role=dialog]')
    }
    const keep = () => {
      if (document.activeElement !== document.body) return
      const place = dialog?.isConnected ? dialog : document.querySelector<HTMLElement>('main h1')
      place?.focus({ preventScroll: true })
    }
    const observer = new MutationObserver(() => {
      if (!last || last.isConnected) return
      last = null
      clearTimeout(timer)
      timer = setTimeout(keep, returnMilliseconds)
    })
    // What a button adds above itself must not push it out of the window.
    const show = ({ key }: KeyboardEvent) => {
      const { activeElement } = document
      if ((key === 'Enter' || key === ' ') && activeElement?.matches('button'))
        activeElement.scrollIntoView({ block: 'nearest' })
    }
    document.addEventListener('focusin', follow)
    document.addEventListener('keyup', show)
    observer.observe(document.body, { childList: true, subtree: true })
    return () => {
      document.removeEventListener('focusin', follow)
      document.removeEventListener('keyup', show)
      observer.disconnect()
      clearTimeout(timer)
    }
  }, [])
}
