import { type ComponentType, lazy } from 'react'

const nextPaint = () => new Promise((resolve) => requestAnimationFrame(() => setTimeout(resolve)))

/** A component with the chart library: it is loaded by the first page that needs it, after that page was painted. */
export const drawnLater = <Props>(load: () => Promise<ComponentType<Props>>) =>
  lazy(async () => {
    await nextPaint()
    return { default: await load() }
  })
