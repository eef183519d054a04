import type { ElementType, Key, ReactElement } from 'react'
import { Fragment, jsx as jsxOfReact, jsxs as jsxsOfReact } from 'react/jsx-runtime'
import { type Props, visibleProps } from './visible-props.ts'

// tools/visible-texts.ts gives these functions to all code that is made of JSX, including the components of libraries.

export { Fragment }

export function jsx(type: ElementType, props: Props, key?: Key): ReactElement {
  return jsxOfReact(type, visibleProps(type, props), key)
}

export function jsxs(type: ElementType, props: Props, key?: Key): ReactElement {
  return jsxsOfReact(type, visibleProps(type, props), key)
}
