import { Anchor } from '@mantine/core'
import { Link } from 'react-router'
import { useWhyTexts } from '../../../texts/why-texts.ts'
import type { Explanation } from './explanation.ts'
import { Part } from './part.tsx'
import classes from './why.module.css'

const labelOf = (...parts: (string | null)[]) => parts.filter(Boolean).join(' ')

/** What the package requires, and whether the computer has it or gets it. */
export function Requirements({ requirements }: Pick<Explanation, 'requirements'>) {
  const why = useWhyTexts()
  if (requirements.length === 0) return null
  return (
    <Part title={why.requirements}>
      <ul className={classes.list}>
        {requirements.map(({ name, state, packageId, version }) => (
          <li key={name}>
            {packageId === null ? name : <PackageLink id={packageId} label={labelOf(name, version)} />} (
            {why.requirementStates[state]})
          </li>
        ))}
      </ul>
    </Part>
  )
}

/** The assigned packages that pull it in. */
export function RequiredBy({ requiring }: { requiring: Explanation['requiredBy'] }) {
  const why = useWhyTexts()
  if (requiring.length === 0) return null
  return (
    <Part title={why.requiredBy}>
      <ul className={classes.list}>
        {requiring.map(({ packageId, name, version, groupPath }) => (
          <li key={packageId}>
            <PackageLink id={packageId} label={labelOf(name, version)} />
            <div className={classes.path}>{groupPath}</div>
          </li>
        ))}
      </ul>
    </Part>
  )
}

function PackageLink({ id, label }: { id: string; label: string }) {
  return (
    <Anchor component={Link} to={`/packages/${id}`} fz="inherit" underline="always">
      {label}
    </Anchor>
  )
}
