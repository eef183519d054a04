import { Text } from '@mantine/core'
import { Link } from 'react-router'
import type { components } from '../../api/types.ts'
import { useFormat } from '../../texts/format.ts'
import { usePatchTexts } from '../../texts/patch-texts.ts'
import classes from './heat-map.module.css'
import { ages, type PatchSeverity, type ReleaseAge, severities } from './severity.ts'

type Cell = components['schemas']['PatchCell']

const [minShade, maxShade] = [12, 62]

/** Missing patches by severity and age, as a table whose cells are shaded by their numbers and lead to the patches. */
export function HeatMap({ cells }: { cells: readonly Cell[] }) {
  const patches = usePatchTexts()
  const { heatMap } = patches
  const format = useFormat()
  const find = (severity: PatchSeverity, age: ReleaseAge) =>
    cells.find((cell) => cell.severity === severity && cell.age === age)
  const sum = (filter: (cell: Cell) => boolean) =>
    cells.filter(filter).reduce((total, { missing }) => total + missing, 0)
  // Ages are always shown, unless nothing is known to be without one.
  const shownAges = ages.filter((age) => age !== 'Unknown' || cells.some((cell) => cell.age === age))
  if (cells.length === 0) return <Text c="dimmed">{heatMap.empty}</Text>
  return (
    <div className={classes.scroll}>
      <table className={classes.table} aria-label={heatMap.title}>
        <thead>
          <tr>
            <th scope="col">{heatMap.severity}</th>
            {shownAges.map((age) => (
              <th key={age} scope="col">
                {patches.ages[age]}
              </th>
            ))}
            <th scope="col">{heatMap.total}</th>
          </tr>
        </thead>
        <tbody>
          {severities.map((severity) => (
            <tr key={severity}>
              <th scope="row">{patches.severities[severity]}</th>
              {shownAges.map((age) => (
                <td key={age}>
                  <HeatCell cell={find(severity, age)} max={Math.max(...cells.map(({ missing }) => missing))} />
                </td>
              ))}
              <td className={classes.total}>{format.number(sum((cell) => cell.severity === severity))}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  )
}

function HeatCell({ cell, max }: { cell: Cell | undefined; max: number }) {
  const patches = usePatchTexts()
  const format = useFormat()
  if (!cell)
    return (
      <span className={classes.none} title={patches.heatMap.none}>
        –
      </span>
    )
  const { severity, age, missing } = cell
  // Few computers must stay visible beside many, so the shade follows the logarithm.
  const share = Math.log1p(missing) / Math.log1p(max)
  const shade = Math.round(minShade + share * (maxShade - minShade))
  const label = patches.heatMap.cell(patches.severities[severity], patches.ages[age], missing, cell.patches)
  return (
    <Link
      to={`/patches?severity=${severity}&age=${age}&state=missing`}
      className={classes.cell}
      data-severity={severity}
      style={{ '--heat': `${shade}%` } as Record<string, string>}
      aria-label={label}
      title={label}
    >
      {format.number(missing)}
    </Link>
  )
}
