export class Picture {
}
