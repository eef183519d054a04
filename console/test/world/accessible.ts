import axe from 'axe-core'
import { expect } from 'vitest'

// Contrasts need a layout: the tour in a browser compares them.
const options: axe.RunOptions = { resultTypes: ['violations'], rules: { 'color-contrast': { enabled: false } } }

/** Fails if axe finds something wrong for people with disabilities, such as a button or a field without a name. */
export async function expectAccessible(place: HTMLElement): Promise<void> {
  const { violations } = await axe.run(place, options)
  expect(violations.map(({ id, nodes }) => `${id}: ${nodes.map(({ html }) => html).join('\n')}`)).toEqual([])
}
