"""A proof shows one thing, once: that this key is known."""

from sulcus_panel.service.key_proof import fresh_word, hashed, is_proof, name_of, proof, proof_of


def test_a_proof_for_one_word_or_key_is_none_for_another() -> None:
    word, other = fresh_word(), fresh_word()
    assert word != other
    assert proof_of(name_of(hashed("key")), word, [hashed("other"), hashed("key")]) == proof(
        hashed("key"), word
    )
    assert proof_of(name_of(hashed("key")), word, [hashed("other")]) is None
    assert is_proof(proof(hashed("key"), word), "key", word)
    assert not is_proof(proof(hashed("key"), word), "key", other)
    assert not is_proof(proof(hashed("other"), word), "key", word)
    assert not is_proof(None, "key", word)
    assert not is_proof("\udcff", "key", word)
