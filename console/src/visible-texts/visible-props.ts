import { visibleText } from '@muster/text'
import type { ElementType, ReactNode } from 'react'
import { isolateRightToLeft } from './right-to-left.ts'

export type Props = Readonly<Record<string, unknown>>

/** Attributes that browsers show, or screen readers read aloud. Style sheets show `data-title`. */
const shownAttributes = new Set([
  'title',
  'alt',
  'label',
  'placeholder',
  'data-title',
  'aria-label',
  'aria-description',
  'aria-placeholder',
  'aria-roledescription',
  'aria-valuetext',
])

/** Elements whose content is not read by people. */
const codeElements = new Set<unknown>(['style', 'script'])

/** Elements that cannot contain other elements of HTML. */
const textElements = new Set<unknown>(['option', 'title', 'text', 'tspan', 'desc'])

/**
 * The properties of an element as they can be shown: texts have their deceptive characters as escapes, and words that are
 * written from right to left do not move what stands beside them. The value of a field stays exact, because it is sent back,
 * unless nobody can edit it.
 */
export function visibleProps(type: ElementType, props: Props): Props {
  if (codeElements.has(type)) return props
  let shown = props
  const { children } = props
  const shownChildren = Array.isArray(children) ? visibleList(type, children) : visibleChild(type, children)
  if (shownChildren !== children) shown = { ...shown, children: shownChildren }
  for (const name in props) if (shownAttributes.has(name)) shown = withVisible(shown, name)
  if (type === 'input' && props.readOnly === true) shown = withVisible(shown, 'value')
  return shown
}

/** Most texts are printable ASCII, and need no further look. The lists of the console have very many cells. */
function isPlain(text: string): boolean {
  return /^[\x20-\x7e]*$/.test(text)
}

function withVisible(props: Props, name: string): Props {
  const text = props[name]
  return typeof text === 'string' && !isPlain(text) ? { ...props, [name]: visibleText(text) } : props
}

/** The same list if nothing in it changes. */
function visibleList(type: ElementType, children: readonly unknown[]): readonly unknown[] {
  const shown = children.map((child) => (Array.isArray(child) ? visibleList(type, child) : visibleChild(type, child)))
  return shown.some((child, index) => child !== children[index]) ? shown : children
}

function visibleChild(type: ElementType, child: unknown): unknown {
  return typeof child === 'string' && !isPlain(child) ? visibleNode(type, visibleText(child)) : child
}

function visibleNode(type: ElementType, text: string): ReactNode {
  return textElements.has(type) ? text : isolateRightToLeft(text)
}
