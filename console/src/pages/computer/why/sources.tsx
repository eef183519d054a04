import { Anchor } from '@mantine/core'
import { Link } from 'react-router'
import type { Schemas } from '../../../api/client.ts'
import { useWhyTexts } from '../../../texts/why-texts.ts'
import classes from './why.module.css'

type Source = Schemas['ExplainedSource']

/** Where it comes from, in the order of precedence: the first one takes effect. */
export function Sources({ sources }: { sources: readonly Source[] }) {
  return (
    <ol className={classes.list}>
      {sources.map((source) => (
        <li key={JSON.stringify(source)} className={source.beatenBy ? classes.beaten : undefined}>
          <SourceLine source={source} />
        </li>
      ))}
    </ol>
  )
}

function SourceLine({ source }: { source: Source }) {
  const why = useWhyTexts()
  const { kind, objectName, groupId, groupPath, through, value, beatenBy } = source
  return (
    <>
      {why.kinds[kind]}
      {objectName && ` ${objectName}`}
      {groupId && groupPath && (
        <>
          {' '}
          {why.from}{' '}
          <Anchor component={Link} to={`/groups/${groupId}`} fz="inherit" underline="always">
            {groupPath}
          </Anchor>
        </>
      )}
      {value !== null && <>: {value}</>}
      {/* The path from the group of the computer to that of the assignment, if they differ. */}
      {through.length > 1 && <div className={classes.path}>{why.through(through.join(' → '))}</div>}
      <div className={classes.path}>{beatenBy ? why.beatenBy[beatenBy] : why.takesEffect}</div>
    </>
  )
}
