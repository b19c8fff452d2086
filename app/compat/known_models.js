const {Document} = Bokeh.require("document/document")
const create = Document.prototype.create_json_patch
Document.prototype.create_json_patch = function (events) {
  for (const {msg_data} of events) {
    const sender = msg_data?.origin
    // Components of Panel are made by servers alone: no browser makes one.
    if (sender?.type?.startsWith("panel.models.esm.")) this._new_models.delete(sender)
  }
  return create.call(this, events)
}
