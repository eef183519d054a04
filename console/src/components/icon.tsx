import type { ReactElement, SVGProps } from 'react'

type IconProps = SVGProps<SVGSVGElement> & { size?: number }

/** Lines in the colour of the text around them. */
export type Icon = (props: IconProps) => ReactElement

/** The icon that this path draws in a square of 24 by 24. */
export function icon(path: string): Icon {
  return ({ size = 24, ...others }) => (
    <svg
      xmlns="http://www.w3.org/2000/svg"
      width={size}
      height={size}
      viewBox="0 0 24 24"
      fill="none"
      stroke="currentColor"
      strokeWidth={2}
      strokeLinecap="round"
      strokeLinejoin="round"
      aria-hidden
      {...others}
    >
      <path d={path} />
    </svg>
  )
}
