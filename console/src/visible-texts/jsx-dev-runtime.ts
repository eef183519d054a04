import type { ElementType, Key, ReactElement } from 'react'
import { Fragment, type JSXSource, jsxDEV as jsxOfReact } from 'react/jsx-dev-runtime'
import { type Props, visibleProps } from './visible-props.ts'

// What jsx-runtime.ts is, for `npm run console`.

export { Fragment }

export function jsxDEV(
  type: ElementType,
  props: Props,
  key: Key | undefined,
  isStatic: boolean,
  source?: JSXSource,
  self?: unknown,
): ReactElement {
  return jsxOfReact(type, visibleProps(type, props), key, isStatic, source, self)
}
