import { writeFile } from 'node:fs/promises'
import { answerSchemas, schemasFile } from './answer-schemas.ts'

await writeFile(schemasFile, answerSchemas())
