import type { Locator } from 'playwright-core'

/** Drops files and folders of this machine in the middle of an element, as its desktop would. */
export async function dropFiles(target: Locator, ...files: string[]): Promise<void> {
  await target.scrollIntoViewIfNeeded()
  const box = await target.boundingBox()
  if (!box) throw new Error('The element is not shown.')
  const page = target.page()
  const session = await page.context().newCDPSession(page)
  const at = { x: box.x + box.width / 2, y: box.y + box.height / 2 }
  const data = { items: [], files, dragOperationsMask: 1 }
  for (const type of ['dragEnter', 'dragOver', 'drop'] as const)
    await session.send('Input.dispatchDragEvent', { type, ...at, data })
  await session.detach()
}
