public import ChemActors

extension Reply {
    /// Answers with a result or an error. (If the body threw the error, it would also be reported, but this error is
    /// expected.)
    @usableFromInline
    func end(with result: Result<Answer, any Error>) {
        switch result {
        case .success(let answer): self(answer)
        case .failure(let error): fail(error)
        }
    }
}
